import { jsonIn } from '@manara/kit/json-in'
import { Favorite } from '@manara/player-contract/favorites'
import { Plan } from '@manara/player-contract/learners'
import { ModeBody, ModeStatus } from '@manara/player-contract/mode'
import { SpeedBody, VolumeBody } from '@manara/player-contract/playback'
import { configFields, PrayerConfig } from '@manara/player-contract/prayer-config'
import { ScheduleBody } from '@manara/player-contract/schedules'
import {
  AutoOffBody,
  BrightnessBody,
  FadesBody,
  MaxVolumeBody,
} from '@manara/player-contract/settings'
import { Target } from '@manara/player-contract/target'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import { z } from 'zod'
import { inOneStep } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'

type Rule = {
  /** As its owner calls it. */
  name: string
  table: string
  /** Columns with JSON. */
  json: string[]
  /** What every version can read, an older or newer one too: without it there is no start. */
  row: z.ZodType
  /** What this version can use: the rest is left for the one that can. */
  usable?: z.ZodType
}

const isKnownMode = (mode: unknown) => ModeStatus.shape.advance_mode.safeParse(mode).success
const PART_OF_MODE: Record<string, string> = { hifz_ab: 'ab', hifz_verses: 'verses', loop: 'loop' }
const KnownMode = z
  .looseObject(ModeBody.shape)
  .refine((body) => body[PART_OF_MODE[body.mode] ?? 'mode'] !== undefined)
const Mode = z
  .looseObject({ mode: z.string() })
  .refine((body) => !isKnownMode(body.mode) || KnownMode.safeParse(body).success)

const isZone = (rule: string) => {
  try {
    return parsePosixTz(rule) !== undefined
  } catch {
    return false
  }
}

/** Those that the box reckons with; of the others any text will do. */
const SETTINGS: Record<string, z.ZodType> = {
  volume: VolumeBody.shape.volume,
  speed: SpeedBody.shape.speed,
  advance: Mode.and(z.looseObject({ own: Mode.optional() })),
  max_volume: MaxVolumeBody.shape.max_volume,
  brightness: BrightnessBody.shape.brightness,
  auto_off_minutes: AutoOffBody.shape.auto_off_minutes,
  fade_up_s: FadesBody.shape.fade_up_s.unwrap(),
  fade_down_s: FadesBody.shape.fade_down_s.unwrap(),
  timezone: z.string().refine(isZone),
  auto_resume: z.boolean(),
  time_format_24h: z.boolean(),
  audio_output: z.string(),
  hostname: z.string(),
  language: z.string(),
  card_removal: z.string(),
  ssid: z.string(),
}

const Ms = z.number().min(0)
const Track = z.union([
  z.looseObject({
    kind: z.literal('file'),
    path: z.string(),
    reciter: z.string(),
    surah_number: z.int().min(0).max(114),
    clip: z.looseObject({ from_ms: Ms, to_ms: Ms }).optional(),
    verses: z.looseObject({ from: z.int(), to: z.int() }).optional(),
  }),
  z.looseObject({ kind: z.literal('stream'), url: z.string(), station: z.string() }),
])
const Place = z.looseObject({
  track: Track,
  repeat_done: z.int().optional(),
  playing: z.boolean().optional(),
})
const Bound = z.looseObject({ type: z.string() })
const { target: _, ...schedule } = ScheduleBody.shape
const VouchedTime = z.looseObject({ offset_ms: z.number(), since_boot_ms: z.number() })
const DEVICE: Record<string, z.ZodType> = {
  vouched_time: z.string().refine((text) => VouchedTime.safeParse(jsonIn(text)).success),
  chip_set_to: z.string().regex(/^\d+$/),
  token: z.string().regex(/^[0-9a-f]{64}$/),
}
/** A table of names with values, each of its own kind. */
const byKey = (kinds: Record<string, z.ZodType>) =>
  z
    .object({ key: z.string(), value: z.unknown() })
    .refine(({ key, value }) => kinds[key]?.safeParse(value).success ?? true)

const PRAYER = 'prayer times'
const PARTS_OF_PRAYER = new Set<unknown>(['adhan', 'reminder', 'iqama'])

const RULES: Rule[] = [
  { name: 'settings', table: 'settings', json: ['value'], row: byKey(SETTINGS) },
  { name: 'the token or the clock', table: 'device', json: [], row: byKey(DEVICE) },
  {
    ...{ name: PRAYER, table: 'prayer', json: ['config'] },
    row: z.object({ config: z.looseObject({}) }),
    usable: z.object({ config: z.looseObject(configFields).partial() }),
  },
  {
    ...{ name: 'schedules', table: 'schedules', json: ['target'] },
    row: z.object({ ...schedule, target: Bound }),
    usable: z.object({ target: Target }),
  },
  {
    ...{ name: 'cards', table: 'nfc_cards', json: ['binding'] },
    row: z.object({ binding: Bound }),
    usable: z.object({ binding: Target }),
  },
  {
    ...{ name: 'favorites', table: 'favorites', json: [] },
    ...{ row: z.unknown(), usable: Favorite },
  },
  { name: 'the queue', table: 'queue', json: ['track'], row: z.object({ track: Track }) },
  { name: 'the kept place', table: 'resume', json: ['source'], row: z.object({ source: Place }) },
  {
    ...{ name: 'plans of learners', table: 'learner_plans', json: ['plan'] },
    row: z.object({ plan: z.looseObject({}) }),
    usable: z.object({ plan: Plan }),
  },
  {
    ...{ name: 'events for the platform', table: 'soc_events', json: ['body'] },
    row: z.object({ body: z.looseObject({}) }),
  },
]

/**
 * A worn card changes single bytes of a text, which SQLite takes for sound: a row that no version can
 * read is taken out before it stops a start, since a box that does not start calls no adhan. What is
 * of a later version is left. Returns what its owner is to be told, without the remedy.
 */
export function setAsideUnsound(db: Db, keepCopy: () => void): string | undefined {
  const { unread, names } = unsoundRows(db)
  const prayer = soundParts(db)
  if (prayer) names.add(PRAYER)
  if (names.size === 0) return undefined
  try {
    if (unread.length > 0 || prayer) keepCopy()
  } catch {
    // No room for it: the box starts all the same.
  }
  inOneStep(db, () => {
    for (const { table, rowid } of unread)
      db.prepare(`DELETE FROM "${table}" WHERE rowid = ?`).run(rowid)
    if (prayer) db.prepare('UPDATE prayer SET config = ?').run(prayer)
  })
  return `some of what the box remembers cannot be understood any more and was left aside (${[...names].join(', ')})`
}

function unsoundRows(db: Db) {
  const unread: { table: string; rowid: number }[] = []
  const names = new Set<string>()
  for (const { name, table, json, row: sound, usable = z.unknown() } of RULES) {
    for (const kept of db.prepare(`SELECT rowid AS place, * FROM "${table}"`).all()) {
      const row: Record<string, unknown> = { ...kept }
      for (const column of json) row[column] = jsonIn(row[column])
      const isRead = sound.safeParse(row).success
      if (!isRead) unread.push({ table, rowid: Number(kept.place) })
      if (!isRead || !usable.safeParse(row).success) names.add(name)
    }
  }
  return { unread, names }
}

/** The settings of prayers without what does not fit in them, which is then as usual; undefined where all of it does. */
function soundParts(db: Db): string | undefined {
  const config = jsonIn(db.prepare('SELECT config FROM prayer').get()?.config)
  const issues = PrayerConfig.safeParse(config).error?.issues ?? []
  let isChanged = false
  for (const { path } of issues.filter(({ path }) => PARTS_OF_PRAYER.has(path[0]))) {
    // Of a list all of it.
    const last = path.findIndex((_, index) => typeof path[index + 1] !== 'string')
    isChanged = remove(config, path.slice(0, last + 1)) || isChanged
  }
  return isChanged ? JSON.stringify(config) : undefined
}

/** True when there was something at this place. */
function remove(from: unknown, [first, ...rest]: PropertyKey[]): boolean {
  if (typeof from !== 'object' || from === null || first === undefined) return false
  if (rest.length > 0) return remove(Reflect.get(from, first), rest)
  return Object.hasOwn(from, first) && Reflect.deleteProperty(from, first)
}
