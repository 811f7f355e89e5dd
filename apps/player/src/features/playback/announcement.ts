import type { AdhanEvent, AnnouncementEvent } from '@manara/player-contract/prayer'
import type { Report } from './domain/state.ts'

/** `path` is what clients are told, `file` where it lies. */
export type AdhanFile = { path: string; file: string }

export type AnnouncementKind = 'adhan' | AnnouncementEvent['kind']

/**
 * `volume` 0 keeps the current one; of `files` the first that can be played is. `after` follows when that
 * was heard to its end, unless it cannot be played or is found only then; it never rejects. What
 * `yields` is nothing while a call to prayer sounds.
 */
export type Announcement = {
  kind: AnnouncementKind
  prayer: AdhanEvent['prayer']
  volume: number
  files: AdhanFile[]
  after?: Promise<AdhanFile | undefined>
  yields?: boolean
}

export type AdhanPhase = Exclude<AdhanEvent['phase'], 'chime'>

/** Which file sounds, and why those before it do not. */
export async function firstThatSounds(
  files: AdhanFile[],
  sound: (file: AdhanFile) => Promise<void>,
): Promise<{ path: string | undefined; problems: string[] }> {
  const problems: string[] = []
  for (const file of files) {
    try {
      await sound(file)
      return { path: file.path, problems }
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  return { path: undefined, problems }
}

/** How the adhan came to its end when it was not by a command. */
export function phaseAfter(report: Report): AdhanPhase {
  if (report.type !== 'ended') return 'stopped'
  return report.reason === 'eof' ? 'finished' : 'failed'
}
