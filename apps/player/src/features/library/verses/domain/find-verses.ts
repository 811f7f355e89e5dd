import { BASMALA_BEATS, VERSE_BEATS } from '@manara/player-contract/verse-beats'
import { type Alignment, alignVerses, type Span } from './align-verses.ts'
import { type Marks, pinSpans } from './pin-spans.ts'

export type FoundVerse = { start: number; end: number; margin: number }

export type Finding = { verses: FoundVerse[] } | { verses: null; reason: string }

/** From here on a verse counts as found for sure: the odds are more than seven to one. */
export const SURE = 2
/** What a person has marked, and the two ends of the recording. */
const CERTAIN = 9

const ISTIADHA_BEATS = 31
// What may be said before the first verse, and how much less usual each is, in nats.
type Lead = { beats: number[]; rare: number }
const LEADS: Lead[] = [
  { beats: [BASMALA_BEATS], rare: 0 },
  { beats: [], rare: 1 },
  { beats: [ISTIADHA_BEATS, BASMALA_BEATS], rare: 1 },
]
// The basmala is a verse of surah 1, and is not said before surah 9.
const LEADS_WITHOUT_BASMALA: Lead[] = [
  { beats: [], rare: 0 },
  { beats: [ISTIADHA_BEATS], rare: 0.5 },
]
/** What one more part that fits well adds to the evidence: the height of its distribution. */
const FITTING = 1.3

/** Recitation is slower than 70 and quicker than 800 milliseconds a beat. */
const QUICKEST = 70
const SLOWEST = 800

/** Of so many verses some stand out, if it is they that are recited. */
const MANY = 8

/** Breath and echo around the sound itself, as far as the pause has room for them. */
const ONSET_MS = 150
const ECHO_MS = 300

/** The verses of one surah in the Kufan count, or why its recording does not show them. */
export function findVerses(surah: number, spans: readonly Span[], marks: Marks): Finding {
  const beats = VERSE_BEATS[surah - 1] ?? []
  const refusal = whyNot(surah, spans, beats)
  if (refusal) return refusal
  const pinned = pinSpans(spans, marks)
  const best = bestLead(surah, pinned.spans, beats, pinned.at)
  if (!best) {
    return none(`its pauses do not fit the ${beats.length} verses of surah ${surah}`)
  }
  const { alignment, firstMargin } = best
  const per = alignment.evidence / beats.length
  const doubt = 0.8 + 1.6 / Math.sqrt(beats.length)
  if (marks.size === 0 && per < -doubt) {
    return none(`its pauses do not fit the ${beats.length} verses of surah ${surah}`)
  }
  const margins = alignment.margins.map((margin, verse) =>
    marks.has(verse + 1) ? CERTAIN : Math.min(CERTAIN, verse === 0 ? firstMargin : margin),
  )
  // A recording of something else also has its lucky guesses: few sure ones mean that none is.
  const sureShare = margins.filter((margin) => margin >= SURE).length / margins.length
  if (sureShare === 0 && marks.size === 0 && margins.length >= MANY) {
    return none('its pauses speak for no place of its verses more than for another')
  }
  const ceiling = sureShare >= 0.3 || marks.size > 0 ? CERTAIN : SURE - 0.1
  const starts = alignment.starts.map((span, verse) => ({
    span,
    from: marks.get(verse + 1) ?? alignment.from[verse] ?? 0,
    margin: marks.has(verse + 1) ? CERTAIN : Math.min(ceiling, margins[verse] ?? 0),
    isMarked: marks.has(verse + 1),
  }))
  return { verses: starts.map((_, verse) => cut(pinned.spans, starts, verse)) }
}

const none = (reason: string): Finding => ({ verses: null, reason })

function whyNot(surah: number, spans: readonly Span[], beats: readonly number[]) {
  if (spans.length * 2 < beats.length) {
    return none(
      `it has ${Math.max(0, spans.length - 1)} pauses and surah ${surah} has ${beats.length} verses`,
    )
  }
  const sound = spans.reduce((sum, [from, to]) => sum + to - from, 0)
  const rate = sound / beats.reduce((sum, beat) => sum + beat, 0)
  if (rate < QUICKEST) return none(`it is too short to be surah ${surah}`)
  if (rate > SLOWEST) return none(`it is too long to be surah ${surah} alone`)
  return undefined
}

/** Tries what may be said before the first verse; what else would fit as well makes that one unsure. */
function bestLead(
  surah: number,
  spans: readonly Span[],
  beats: readonly number[],
  pins: ReadonlyMap<number, number>,
) {
  const leads = surah === 1 || surah === 9 ? LEADS_WITHOUT_BASMALA : LEADS
  const ideas = leads
    .flatMap((lead) => {
      const said = lead.beats.length
      const shifted = new Map([...pins].map(([verse, span]) => [verse + said, span]))
      // With nothing before it, the first verse begins where the sound does.
      if (said === 0 && (pins.get(0) ?? 0) > 0) return []
      const whole = alignVerses(spans, [...lead.beats, ...beats], { pins: shifted })
      if (!whole) return []
      const score = whole.evidence + said * FITTING - lead.rare
      return [{ score, alignment: without(whole, said) }]
    })
    .sort((a, b) => b.score - a.score)
  const [best] = ideas
  if (!best) return undefined
  const first = best.alignment.starts[0]
  const rival = ideas.find(({ alignment }) => alignment.starts[0] !== first)
  const odds = rival ? best.score - rival.score : CERTAIN
  const own = best.alignment.margins[0] ?? 0
  return { alignment: best.alignment, firstMargin: Math.min(odds, own) }
}

/** The verses alone, without what was said before them. */
const without = (whole: Alignment, said: number): Alignment => ({
  starts: whole.starts.slice(said),
  from: whole.from.slice(said),
  margins: said === 0 ? [CERTAIN, ...whole.margins.slice(1)] : whole.margins.slice(said),
  evidence: whole.evidence,
})

type Start = { span: number; from: number; margin: number; isMarked: boolean }

function cut(spans: readonly Span[], starts: readonly Start[], verse: number): FoundVerse {
  const { span, from, margin, isMarked } = starts[verse] as Start
  const next = starts[verse + 1]
  const start =
    isMarked || span < 0 ? from : from - Math.min(ONSET_MS, pauseBefore(spans, span) / 2)
  const last = next ? next.span : spans.length
  const sureness = Math.min(margin, next?.margin ?? CERTAIN)
  if (next && (next.span < 0 || next.isMarked)) return found(start, next.from, sureness)
  const end = spans[last - 1]?.[1] ?? from
  return found(start, end + Math.min(ECHO_MS, pauseBefore(spans, last) / 2), sureness)
}

const found = (start: number, end: number, margin: number): FoundVerse => ({
  start: Math.max(0, Math.round(start)),
  end: Math.round(end),
  margin: Math.round(Math.max(0, margin) * 100) / 100,
})

function pauseBefore(spans: readonly Span[], span: number): number {
  const before = spans[span - 1]
  const here = spans[span]
  if (!here) return 2 * ECHO_MS
  return here[0] - (before?.[1] ?? 0)
}
