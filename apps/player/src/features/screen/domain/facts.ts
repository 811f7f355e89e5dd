import type { OtaStatus } from '@manara/player-contract/ota'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { Language } from '@manara/player-contract/settings'
import type { PosixTz } from '@manara/posix-tz/posix-tz'

/** All that the screen may tell, at one moment. */
export type Facts = {
  playback: PlaybackStatus
  /** What is left of the silence between two repetitions. */
  gap_ms: number
  now: number
  isTimeTrusted: boolean
  zone: PosixTz
  prayer: PrayerStatus
  update: OtaStatus
  isCardPresent: boolean
  /** Somebody before the box may pair a phone now. */
  pairing: { address: string; link: string } | undefined
  language: Language
  time_format_24h: boolean
  /** Which of two is news. */
  newestTrouble?: Trouble['kind'] | undefined
}

/** Something went wrong, that long ago. */
export type Trouble = { kind: 'playback' | 'update'; message: string; age_ms: number }

/** What went wrong and has not been made good since, the gravest first. */
export function troublesOf({ playback, update }: Facts): Omit<Trouble, 'age_ms'>[] {
  const hasFailed = update.status === 'failed' || update.status === 'rolled_back'
  return [
    ...(hasFailed ? [{ kind: 'update' as const, message: update.error }] : []),
    ...(playback.error ? [{ kind: 'playback' as const, message: playback.error }] : []),
  ]
}

/** The one of them to be told in a line. */
export function troubleOf(facts: Facts): Omit<Trouble, 'age_ms'> | undefined {
  const troubles = troublesOf(facts)
  return troubles.find(({ kind }) => kind === facts.newestTrouble) ?? troubles[0]
}
