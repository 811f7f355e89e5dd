import type { Plan, Range } from '@manara/player-contract/learners'
import { ordinalOf, pageBounds, pageOf, placeOf } from '@manara/player-contract/quran-pages'
import { VERSE_BEATS } from '@manara/player-contract/verse-beats'
import { learningOrder, type Stretch } from './learning-order.ts'

/** The first verses of the plan that are not learnt yet; undefined when everything is. */
export function nextPortion(plan: Plan, learnt: readonly Range[]): Range | undefined {
  const isLearnt = learntVerses(learnt)
  for (const stretch of learningOrder(plan)) {
    let first = stretch.first
    while (first < stretch.end && isLearnt.has(first)) first++
    if (first >= stretch.end) continue
    let end = first + 1
    while (end < stretch.end && !isLearnt.has(end)) end++
    return rangeOf(cut(plan, { first, end }))
  }
  return undefined
}

/** The ordinals of all verses in these ranges. */
export function learntVerses(ranges: readonly Range[]): Set<number> {
  const verses = new Set<number>()
  for (const { surah, from, to } of ranges) {
    const first = ordinalOf({ surah, verse: from })
    for (let verse = first; verse <= first + to - from; verse++) verses.add(verse)
  }
  return verses
}

function cut({ unit, amount }: Plan, { first, end }: Stretch): Stretch {
  if (unit === 'verse') return { first, end: Math.min(end, first + amount) }
  // On a grid of quarter pages, so that four quarters end with the page.
  const wanted = Math.round((pagePlace(first) + amount) * 4) / 4
  let last = first + 1
  while (last < end && isNearer(wanted, last + 1, last)) last++
  return { first, end: last }
}

const isNearer = (wanted: number, a: number, b: number) =>
  Math.abs(pagePlace(a) - wanted) <= Math.abs(pagePlace(b) - wanted)

/** How many pages lie before a verse, with the part of its own by the expected lengths of verses. */
function pagePlace(ordinal: number): number {
  const page = pageOf(placeOf(ordinal))
  const { first, end } = pageBounds(page)
  return page + beatsOf(first, ordinal) / beatsOf(first, end)
}

const BEATS = VERSE_BEATS.flat()

function beatsOf(first: number, end: number): number {
  let sum = 0
  for (let ordinal = first; ordinal < end; ordinal++) sum += BEATS[ordinal] ?? 0
  return sum
}

/** What part of the Quran's pages these verses fill. */
export function pagesOf(verses: ReadonlySet<number>): number {
  let pages = 0
  for (const ordinal of verses) {
    const { first, end } = pageBounds(pageOf(placeOf(ordinal)))
    pages += beatsOf(ordinal, ordinal + 1) / beatsOf(first, end)
  }
  return Math.round(pages * 100) / 100
}

function rangeOf({ first, end }: Stretch): Range {
  const { surah, verse } = placeOf(first)
  return { surah, from: verse, to: verse + end - first - 1 }
}
