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
}

/** Something went wrong, that long ago. */
export type Trouble = { kind: 'playback' | 'update'; message: string; age_ms: number }

/** What went wrong last, if it has not been made good since. */
export function troubleOf({ playback, update }: Facts): Omit<Trouble, 'age_ms'> | undefined {
  if (update.status === 'failed' || update.status === 'rolled_back') {
    return { kind: 'update', message: update.error }
  }
  if (playback.error) return { kind: 'playback', message: playback.error }
  return undefined
}
