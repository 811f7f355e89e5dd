import { VERSE_BEATS } from '@manara/player-contract/verse-beats'
import type { FoundVerse } from './find-verses.ts'
import type { Marks } from './pin-spans.ts'

const CERTAIN = 9

/**
 * Verses of a recording whose pauses tell nothing, by what a person has marked: between two marks
 * they follow each other by their expected lengths. Only what lies between two marks is sure.
 */
export function spreadVerses(surah: number, duration_ms: number, marks: Marks): FoundVerse[] {
  const beats = VERSE_BEATS[surah - 1] ?? []
  const known = [...marks].sort(([a], [b]) => a - b)
  const fixed: [verse: number, at: number][] = [...known, [beats.length + 1, duration_ms]]
  if (!marks.has(1)) fixed.unshift([1, 0])
  const starts: number[] = []
  for (const [index, [verse, at]] of fixed.entries()) {
    const [next, nextAt] = fixed[index + 1] ?? [verse + 1, at]
    const stretch = beats.slice(verse - 1, next - 1)
    const whole = stretch.reduce((sum, beat) => sum + beat, 0)
    let from = at
    for (const [step, beat] of stretch.entries()) {
      starts[verse - 1 + step] = from
      from += ((nextAt - at) * beat) / whole
    }
  }
  const isFixed = (verse: number) => marks.has(verse) || verse > beats.length
  return beats.map((_, index) => ({
    start: Math.round(starts[index] ?? 0),
    end: Math.round(starts[index + 1] ?? duration_ms),
    margin: isFixed(index + 1) && isFixed(index + 2) ? CERTAIN : 0,
  }))
}
