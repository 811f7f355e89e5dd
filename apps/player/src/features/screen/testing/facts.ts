import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { PrayerName, PrayerStatus } from '@manara/player-contract/prayer'
import type { PrayerConfig } from '@manara/player-contract/prayer-config'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import type { Facts } from '../domain/facts.ts'

/** A Sunday afternoon in Ramadan, at a quarter to four in Mecca. */
const NOW = Date.parse('2026-03-01T12:42:10Z')

const SILENT: PlaybackStatus = {
  state: 'stopped',
  mode: 'idle',
  position: 0,
  duration: 0,
  volume: 45,
  underrun_count: 0,
  track: '',
  reciter: '',
  surah_number: 0,
  hasResumeState: false,
  advance_mode: 'off',
}

export const AL_BAQARAH: Partial<PlaybackStatus> = {
  state: 'playing',
  mode: 'file',
  position: 754_000,
  duration: 7_087_000,
  track: 'Husary/002.mp3',
  reciter: 'Mahmoud Khalil Al-Husary',
  surah_number: 2,
}

export const A_STATION: Partial<PlaybackStatus> = {
  state: 'playing',
  mode: 'stream',
  track: 'https://radio.example/quran.mp3',
  station: 'إذاعة القرآن الكريم',
}

const CONFIG = { hijri_adjust: 0 } as PrayerConfig

export const NO_PRAYERS: PrayerStatus = { valid: false, reason: 'no location', config: CONFIG }

/** A prayer that begins in so many seconds. */
export const nextPrayer = (name: PrayerName, in_s: number) =>
  ({
    valid: true,
    config: CONFIG,
    next: { name, epoch: NOW / 1000 + in_s },
  }) as PrayerStatus

/** The box at rest, but for what is given. */
export function factsOf(
  playback: Partial<PlaybackStatus> = {},
  others: Partial<Omit<Facts, 'playback'>> = {},
): Facts {
  return {
    playback: { ...SILENT, ...playback },
    gap_ms: 0,
    now: NOW,
    isTimeTrusted: true,
    zone: parsePosixTz('AST-3'),
    prayer: nextPrayer('maghrib', 8_040),
    update: { in_progress: false, progress: 0, mode: 'idle', status: 'idle', error: '' },
    isCardPresent: true,
    pairing: undefined,
    language: 'en',
    time_format_24h: false,
    ...others,
  }
}
