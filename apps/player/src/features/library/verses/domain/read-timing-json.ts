import { VERSE_BEATS } from '@manara/player-contract/verse-beats'
import type { TimedVerse } from './timing.ts'

type Json = { [key: string]: unknown }
/** Verses from `verse` to `last` of one surah; the surah is 0 where the file does not say. */
type Entry = { surah: number; verse: number; last: number; start: number; end?: number }

/**
 * The verses of one surah from a JSON file in any of the shapes that are about: objects by `2:7`
 * (Quran Universal Library, quranic-universal-audio), lists by `verse_key` (quran.com) and lists by
 * `ayah` (mp3quran, for one surah). Empty when the surah is not in it; throws when it is none of them.
 */
export function readTimingJson(text: string, surah: number): TimedVerse[] {
  const entries = entriesOf(JSON.parse(text))
  if (entries.length === 0) throw new Error('is in no shape that is known for verse times')
  return entries
    .filter((entry) => entry.surah === surah || entry.surah === 0)
    .flatMap((entry) => apart(surah, entry))
}

function entriesOf(data: unknown): Entry[] {
  if (Array.isArray(data)) return data.flatMap(listed)
  if (!isObject(data)) return []
  const keyed = Object.entries(data).flatMap(([key, value]) => underKey(key, value))
  if (keyed.length > 0) return keyed
  // Lists may lie a few levels down: `audio_files[].verse_timings[]`, `audio_file.timestamps[]`.
  return Object.values(data).flatMap((value) => (typeof value === 'object' ? entriesOf(value) : []))
}

function listed(item: unknown): Entry[] {
  if (!isObject(item)) return []
  const start = time(item.timestamp_from) ?? time(item.start_time) ?? time(item.start)
  const end = time(item.timestamp_to) ?? time(item.end_time) ?? time(item.end)
  const place = placeOf(item)
  if (place && start === undefined && Array.isArray(item.segments) && item.stats !== undefined) {
    throw new Error('gives words inside files of single verses, not verses')
  }
  if (place && start !== undefined)
    return [{ ...place, start, ...(end === undefined ? {} : { end }) }]
  return Object.values(item).flatMap((value) => (Array.isArray(value) ? value.flatMap(listed) : []))
}

function placeOf(item: Json): Pick<Entry, 'surah' | 'verse' | 'last'> | undefined {
  if (typeof item.verse_key === 'string') return placeIn(item.verse_key)
  const verse = time(item.ayah) ?? time(item.verse)
  if (verse === undefined) return undefined
  return { surah: time(item.surah) ?? time(item.sura) ?? 0, verse, last: verse }
}

function underKey(key: string, value: unknown): Entry[] {
  const place = placeIn(key)
  if (!place) return []
  if (Array.isArray(value)) {
    // Words or stretches of the verse, each with its times last.
    const times = value.filter((part) => Array.isArray(part) && part.length >= 3)
    const start = time(times[0]?.at(-2))
    const end = time(times.at(-1)?.at(-1))
    return start === undefined || end === undefined ? [] : [{ ...place, start, end }]
  }
  if (!isObject(value)) return []
  const start = time(value.timestamp_from)
  const end = time(value.timestamp_to)
  return start === undefined ? [] : [{ ...place, start, ...(end === undefined ? {} : { end }) }]
}

/** `2:7`, and `2:7-2:8` or `2:7-8` for verses in one breath. */
function placeIn(key: string): Pick<Entry, 'surah' | 'verse' | 'last'> | undefined {
  const found = /^(\d{1,3}):(\d{1,3})(?:-(?:\d{1,3}:)?(\d{1,3}))?$/.exec(key)
  if (!found) return undefined
  const [, surah, verse, last = verse] = found
  return { surah: Number(surah), verse: Number(verse), last: Number(last) }
}

/** Verses in one breath are parted by their expected lengths, and said to be guessed. */
function apart(surah: number, { verse, last, start, end }: Entry): TimedVerse[] {
  if (last <= verse || end === undefined)
    return [{ verse, start, ...(end === undefined ? {} : { end }) }]
  const beats = (VERSE_BEATS[surah - 1] ?? []).slice(verse - 1, last)
  const whole = beats.reduce((sum, beat) => sum + beat, 0)
  let from = start
  return beats.map((beat, index) => {
    const to = from + ((end - start) * beat) / whole
    const part = { verse: verse + index, start: from, end: to, guessed: index > 0 }
    from = to
    return part
  })
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

const time = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
