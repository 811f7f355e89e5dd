import { DRILL_DEFAULTS } from '@manara/player-contract/drill-defaults'
import type { ModeBody } from '@manara/player-contract/mode'
import type { VerseRange } from '@manara/player-contract/verses'

/** How the verses of a range are learnt. */
export type Drill = {
  mode: 'hifz_verses'
  verse_from: number
  verse_to: number
  method: 'each' | 'stack'
  /** Of each verse; 0 is endless. */
  repeat_target: number
  /** Of the verses so far together, after each new one; for `stack`. */
  link: number
  passes: number
  gap_percent: number
  pause_s: number
  unsure: boolean
}

/** One hearing of a verse or, linked, of several; `done` of `of` such hearings are over. */
export type Round = VerseRange & { done: number; of: number; pass: number }

export function drillOf(body: ModeBody, verses: VerseRange): Drill {
  return {
    mode: 'hifz_verses',
    verse_from: verses.from,
    verse_to: verses.to,
    method: body.method ?? DRILL_DEFAULTS.method,
    repeat_target: body.repeat ?? DRILL_DEFAULTS.repeat,
    link: body.link ?? DRILL_DEFAULTS.link,
    passes: body.passes ?? DRILL_DEFAULTS.passes,
    gap_percent: body.gap_percent ?? DRILL_DEFAULTS.gap_percent,
    pause_s: body.pause_s ?? DRILL_DEFAULTS.pause_s,
    unsure: body.unsure ?? false,
  }
}

const countOf = ({ verse_from, verse_to }: Drill) => verse_to - verse_from + 1

/** Of one pass: every verse by itself and, stacked, the links after each but the first. */
function roundsOfPass(drill: Drill): number {
  const links = drill.method === 'stack' ? (countOf(drill) - 1) * drill.link : 0
  return countOf(drill) * drill.repeat_target + links
}

/** How many rounds there are; 0 is endless. */
export const roundCount = (drill: Drill): number => roundsOfPass(drill) * drill.passes

/** The round with this number, from 0; undefined when the drill is over. */
export function roundAt(drill: Drill, number: number): Round | undefined {
  const { verse_from: first, repeat_target, link, passes } = drill
  if (number < 0) return undefined
  if (repeat_target === 0) return { from: first, to: first, done: number, of: 0, pass: 0 }
  const pass = Math.floor(number / roundsOfPass(drill))
  if (pass >= passes) return undefined
  let left = number % roundsOfPass(drill)
  for (let verse = first; ; verse += 1) {
    if (left < repeat_target) return { from: verse, to: verse, done: left, of: repeat_target, pass }
    left -= repeat_target
    if (drill.method === 'each' || verse === first) continue
    if (left < link) return { from: first, to: verse, done: left, of: link, pass }
    left -= link
  }
}

/** The first round of a verse by itself, in the pass that round `number` belongs to. */
export function roundOfVerse(drill: Drill, number: number, verse: number): number {
  if (drill.repeat_target === 0) return Math.max(0, number)
  const before = verse - drill.verse_from
  const links = drill.method === 'stack' ? Math.max(0, before - 1) * drill.link : 0
  const pass = Math.max(0, Math.floor(number / roundsOfPass(drill)))
  return pass * roundsOfPass(drill) + before * drill.repeat_target + links
}

/** The end must not be glued to the beginning in memory: a pause belongs between them. */
export function beginsAgain(drill: Drill, ended: Round, next: Round): boolean {
  if (ended.pass !== next.pass) return true
  return next.from === drill.verse_from && ended.to > drill.verse_from
}
