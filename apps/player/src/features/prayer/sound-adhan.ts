import { AppError, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { AdhanEvent, AnnouncementEvent } from '@manara/player-contract/prayer'
import type { PrayerConfig } from '@manara/player-contract/prayer-config'
import { SILENT } from '../../ports/card.ts'
import type { Clock } from '../../ports/clock.ts'
import { adhanSound, INSTEAD, insteadOf, noticeSound, soundPaths } from './domain/sounds.ts'

export type Prayer = AdhanEvent['prayer']

type SoundFile = { path: string; file: string }

export type SoundAdhanDeps = {
  config(): PrayerConfig
  clock: Pick<Clock, 'after'>
  /** The absolute path of a sound on the card or in the box that can be read; throws 400 when there is none. */
  resolve(path: string): Promise<string>
  /** The absolute path of the built-in chime; throws when the disk has no room for it. */
  chime(): string
  announce(announcement: {
    kind: 'adhan' | AnnouncementEvent['kind']
    prayer: Prayer
    volume: number
    files: SoundFile[]
    after?: Promise<SoundFile | undefined>
    yields?: boolean
  }): Promise<{ path: string | undefined; problems: string[] }>
  /** What the owner sees among the failures of the box; undefined when all is well again. */
  reportProblem(of: 'adhan' | 'dua', problem: string | undefined): void
  onChime(prayer: Prayer): void
  log: Pick<Logger, 'warn'>
}

const CHIME = 'chime'
/** A disk has spun up by then; from a card that has died no prayer is called later than this. */
const LOOKING_MS = 10_000

/** Somebody wants to hear the adhan: whoever hears one already is not to hear it start over. */
export const askForAdhan = (deps: SoundAdhanDeps, prayer: Prayer, loudness?: number) =>
  soundAdhan(deps, prayer, { yields: true, loudness })

/** Calls to a prayer: with the chosen adhan, or with the chime when that cannot be played. */
export async function soundAdhan(
  deps: SoundAdhanDeps,
  prayer: Prayer,
  { yields = false, loudness }: { yields?: boolean; loudness?: number | undefined } = {},
): Promise<void> {
  const config = deps.config()
  const { paths, volume } = adhanSound(config, prayer)
  // Heard only after the adhan, which does not wait for it.
  const after = findDua(deps, config.adhan.dua_path)
  const found = await findSounds(deps, paths)
  const chime = findChime(deps)
  const sounded = await deps.announce({
    ...{ kind: 'adhan', prayer, volume: loudness ?? volume },
    files: [...found.files, ...chime.files],
    ...{ after, yields },
  })
  if (sounded.path === undefined) return
  const path = found.lost ?? paths[0] ?? ''
  const problem = found.problem ?? sounded.problems[0]
  const instead = sounded.path === CHIME ? INSTEAD.adhan : INSTEAD.own
  deps.reportProblem('adhan', problem ? `${path}: ${problem}; ${instead}` : chime.problem)
  if (problem) deps.log.warn({ path, prayer, problem }, 'not the adhan that was chosen')
  if (problem && sounded.path === CHIME) deps.onChime(prayer)
}

async function findDua(deps: SoundAdhanDeps, path: string): Promise<SoundFile | undefined> {
  const none = (error: unknown) => deps.log.warn({ err: error, path }, 'no dua after the adhan')
  const found = await findSounds(deps, path === '' ? [] : [path]).catch(none)
  const problem = found?.problem
  deps.reportProblem('dua', problem && `${path}: ${problem}; ${INSTEAD.dua}`)
  if (problem) none(problem)
  return found?.files[0]
}

/** A reminder or an iqama; a file that cannot be played is a chime as well. */
export async function soundNotice(
  deps: SoundAdhanDeps,
  kind: AnnouncementEvent['kind'],
  prayer: Prayer,
): Promise<void> {
  const sound = noticeSound(deps.config(), kind)
  if (!sound) return
  const { files, problem } = await findSounds(deps, sound.paths)
  if (problem) deps.log.warn({ kind, prayer, problem }, 'the chime instead of what was chosen')
  const chime = findChime(deps)
  await deps.announce({ kind, prayer, volume: sound.volume, files: [...files, ...chime.files] })
}

/** Only what stands in for the adhan: without it the adhan itself is to sound all the same. */
function findChime({ chime, log }: SoundAdhanDeps): { files: SoundFile[]; problem?: string } {
  try {
    return { files: [{ path: CHIME, file: chime() }] }
  } catch (error) {
    log.warn({ err: error }, 'the chime cannot be made')
    return { files: [], problem: `the built-in chime cannot be made: ${(error as Error).message}` }
  }
}

/** Whether the next ones will be heard as chosen: looked at before they are due. */
export async function checkAdhanFile(deps: SoundAdhanDeps): Promise<void> {
  // Made long before it is needed: by then the disk may be full.
  const chime = findChime(deps)
  const config = deps.config()
  const problems: { adhan?: string; dua?: string } = {}
  for (const [field, path] of Object.entries(soundPaths(config))) {
    const [part = ''] = field.split('.')
    if (!config[part as 'adhan' | 'reminder' | 'iqama'].enabled) continue
    const { problem } = await findSounds(deps, [path])
    const instead = insteadOf(config, field)
    const of = instead === INSTEAD.dua ? 'dua' : 'adhan'
    if (problem) problems[of] ??= `${path}: ${problem}; ${instead}`
  }
  deps.reportProblem('adhan', problems.adhan ?? chime.problem)
  deps.reportProblem('dua', problems.dua)
}

/** What is wrong with the adhan that a prayer would be called with, if something is. */
export async function adhanProblem(deps: SoundAdhanDeps, prayer: Prayer) {
  const { paths } = adhanSound(deps.config(), prayer)
  const { files, lost, problem } = await findSounds(deps, paths)
  if (!problem || lost !== paths[0]) return undefined
  return `${problem}; ${files.length > 0 ? INSTEAD.own : INSTEAD.adhan}`
}

/** Those that are there, and what is wrong with the first that is not. */
async function findSounds({ resolve, clock }: SoundAdhanDeps, paths: string[]) {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(LOOKING_MS, () => reject(unavailable(SILENT)))
  const looks = paths.map(async (path) => ({
    path,
    file: await Promise.race([resolve(path), late]),
  }))
  const looked = await Promise.allSettled(looks).finally(cancel)
  const errors = looked.flatMap((look) => (look.status === 'rejected' ? [look.reason] : []))
  const lost = paths[looked.findIndex(({ status }) => status === 'rejected')]
  const bug = errors.find((error) => !(error instanceof AppError))
  if (bug) throw bug
  const files = looked.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []))
  const problem = (errors[0] as AppError | undefined)?.message.replace(/^path: /, '')
  return { files, lost, problem }
}
