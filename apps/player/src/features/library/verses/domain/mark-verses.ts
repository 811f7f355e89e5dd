import type { FoundVerse } from './find-verses.ts'
import type { Marks } from './pin-spans.ts'

const CERTAIN = 9

/** Starts that a person has marked by ear go before those of a timing file, where they fit between. */
export function markVerses(verses: readonly FoundVerse[], marks: Marks): FoundVerse[] {
  const moved = verses.map((verse) => ({ ...verse }))
  for (const [number, start] of marks) {
    const verse = moved[number - 1]
    const before = moved[number - 2]
    if (!verse || start >= verse.end || (before && start <= before.start)) continue
    // Where the one before went on until this one began, it still does.
    if (before) before.end = before.end === verse.start ? start : Math.min(before.end, start)
    verse.start = start
    verse.margin = CERTAIN
  }
  return moved
}
