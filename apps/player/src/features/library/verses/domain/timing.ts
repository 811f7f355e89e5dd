import { countsOf } from '@manara/player-contract/verse-counts'
import type { Span } from './align-verses.ts'
import type { FoundVerse } from './find-verses.ts'

/** A verse as a timing file gives it, in milliseconds of the surah's file. */
export type TimedVerse = { verse: number; start: number; end?: number; guessed?: boolean }

export type Recording = {
  duration_ms: number
  /** Undefined when the sound could not be measured. */
  spans: readonly Span[] | undefined
}

export type Checked = { verses: FoundVerse[] } | { verses: null; reason: string }

/** A timing file and a header may round differently. */
const PAST_THE_END_MS = 2_000
const NEAR_MS = 350
const AT_PAUSES = 0.8
const SURE_MARGIN = 9

/** Believes a timing file only if it counts the surah's verses and fits the pauses of this recording. */
export function checkTiming(
  surah: number,
  timed: readonly TimedVerse[],
  { duration_ms, spans }: Recording,
): Checked {
  const verses = timed.filter(({ verse }) => verse >= 1).toSorted((a, b) => a.verse - b.verse)
  const problem =
    whyNotCounted(surah, verses) ?? whyNotRising(verses) ?? whyNotInside(verses, duration_ms)
  if (problem) return { verses: null, reason: problem }
  if (spans) {
    const elsewhere = whyElsewhere(verses, spans)
    if (elsewhere) return { verses: null, reason: elsewhere }
  }
  return { verses: verses.map((_, index) => cut(verses, index, duration_ms, spans !== undefined)) }
}

function whyNotCounted(surah: number, verses: readonly TimedVerse[]): string | undefined {
  const counts = countsOf(surah)
  const missing = verses.findIndex(({ verse }, index) => verse !== index + 1)
  if (missing >= 0) {
    const { verse = 0 } = verses[missing] ?? {}
    return verse === missing
      ? `verse ${verse} is in it twice`
      : `verse ${missing + 1} is missing in it`
  }
  if (counts.includes(verses.length)) return undefined
  return `it has ${verses.length} verses, surah ${surah} has ${counts.join(' or ')}`
}

function whyNotRising(verses: readonly TimedVerse[]): string | undefined {
  for (const [index, { verse, start, end }] of verses.entries()) {
    const before = verses[index - 1]
    if (before && start <= before.start) {
      return `verse ${verse} begins at ${seconds(start)}, not after verse ${verse - 1} at ${seconds(before.start)}`
    }
    if (end !== undefined && end <= start) return `verse ${verse} ends before it begins`
  }
  return undefined
}

function whyNotInside(verses: readonly TimedVerse[], duration_ms: number): string | undefined {
  const first = verses[0]
  if (first && first.start < 0) return 'verse 1 begins before the recording does'
  for (const { verse, start, end = start } of verses) {
    if (Math.max(start, end) <= duration_ms + PAST_THE_END_MS && start < duration_ms) continue
    return `belongs to another recording: verse ${verse} ends at ${seconds(end)}, this one is ${seconds(duration_ms)} long`
  }
  const last = verses.at(-1)
  if (last && last.start * 100 < duration_ms) {
    return `its times end at ${seconds(last.start)} of ${seconds(duration_ms)}: they must be milliseconds`
  }
  return undefined
}

/** Verses begin after a pause: times of another recording fall into the middle of the sound. */
function whyElsewhere(verses: readonly TimedVerse[], spans: readonly Span[]): string | undefined {
  const inner = verses.slice(1).filter(({ guessed }) => !guessed)
  if (inner.length === 0) return undefined
  const near = inner.filter(({ start }) => isNearPause(spans, start)).length
  if (near >= inner.length * AT_PAUSES) return undefined
  return `belongs to another recording: ${near} of its ${inner.length} boundaries are at a pause of this one`
}

function isNearPause(spans: readonly Span[], time: number): boolean {
  return spans.some(([from], index) => {
    const pauseFrom = spans[index - 1]?.[1] ?? 0
    return time >= pauseFrom - NEAR_MS && time <= from + NEAR_MS
  })
}

function cut(
  verses: readonly TimedVerse[],
  index: number,
  duration_ms: number,
  isChecked: boolean,
): FoundVerse {
  const { start, end, guessed } = verses[index] as TimedVerse
  const next = verses[index + 1]
  // Neighbours may overlap a little where times were rounded.
  const limit = next?.start ?? duration_ms
  const isSure = isChecked && !guessed && !next?.guessed
  return {
    start: Math.round(start),
    end: Math.round(Math.min(end ?? limit, limit)),
    margin: isSure ? SURE_MARGIN : 0,
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
