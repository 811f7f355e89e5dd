import { type ModeBody, ModeStatus } from '@manara/player-contract/mode'
import { type CardRemoval, type Language, SettingsStatus } from '@manara/player-contract/settings'
import type { Db } from '../../db/open-store.ts'

export type Settings = {
  volume: number
  /** Percent, of files. */
  speed: number
  /** With what a drill that came with a card or a lesson stands in for. */
  advance: ModeBody & { own?: ModeBody }
  auto_resume: boolean
  max_volume: number
  /** `auto`, `alsa:<device>` or `pipewire:<node>`. */
  audio_output: string
  /** Seconds in which what comes by itself rises, and what makes room for it falls. */
  fade_up_s: number
  fade_down_s: number
  /** POSIX rule string. */
  timezone: string
  time_format_24h: boolean
  /** 0..255 */
  brightness: number
  /** 0 never sleeps by itself. */
  auto_off_minutes: number
  card_removal: CardRemoval
  /** Empty while the machine's own name serves. */
  hostname: string
  language: Language
  /** The network that was joined last; its password is NetworkManager's to keep. */
  ssid: string
}

const DEFAULTS: Settings = {
  volume: 50,
  speed: 100,
  advance: { mode: 'off' },
  auto_resume: false,
  max_volume: 100,
  audio_output: 'auto',
  fade_up_s: 3,
  fade_down_s: 0.5,
  timezone: 'UTC0',
  time_format_24h: false,
  brightness: 255,
  auto_off_minutes: 0,
  card_removal: 'continue',
  hostname: '',
  language: 'en',
  ssid: '',
}

export type SettingsStore = ReturnType<typeof createSettingsStore>

/** Read once, kept in memory, on disk before `save` returns. */
export function createSettingsStore(db: Db) {
  const rows = db.prepare('SELECT key, value FROM settings').all() as {
    key: string
    value: string
  }[]
  const current: Settings = {
    ...DEFAULTS,
    ...Object.fromEntries(
      rows
        .map(({ key, value }) => [key, JSON.parse(value)])
        .filter(([key, value]) => isKnown(key, value)),
    ),
  }
  const upsert = db.prepare(
    `INSERT INTO settings (key, value) VALUES (?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )

  return {
    read: <K extends keyof Settings>(key: K): Settings[K] => current[key],
    save<K extends keyof Settings>(key: K, value: Settings[K]) {
      upsert.run(key, JSON.stringify(value))
      current[key] = value
    },
  }
}

/** A later version may have kept what this one has no word for. */
function isKnown(key: string, value: unknown): boolean {
  if (key === 'advance') return isModeKnown((value as ModeBody).mode)
  const schema = SettingsStatus.shape[key as keyof typeof SettingsStatus.shape]
  return !schema || schema.safeParse(value).success
}

const isModeKnown = (mode: string) => ModeStatus.shape.advance_mode.safeParse(mode).success
