import { chooseStarts } from './choose-starts.ts'
import { pauseCosts } from './pause-costs.ts'

/** A stretch of sound between two pauses, in milliseconds. */
export type Span = readonly [start: number, end: number]

export type Alignment = {
  /** The span with which each verse begins; -1 where it begins inside one. */
  starts: number[]
  /** Where each verse begins, in milliseconds. */
  from: number[]
  /** In nats: the odds that it begins there and not elsewhere. */
  margins: number[]
  /** How likely these spans are for these verses at all, in nats: to compare one idea with another. */
  evidence: number
}

export type AlignOptions = {
  /** Verse index -> the index of the span that it is known to begin with. */
  pins?: ReadonlyMap<number, number>
}

// Chosen on one complete recitation and widened after a look at six others.
const SIGMA = 0.1
/** How likely two verses in one breath are, without a pause between them. */
const JOINED = Math.exp(-7)
const SPANS_PER_VERSE = 24
const SPANS_PER_JOIN = 4
/** Reciters slow down and speed up by some 20 % over a long surah: the tempo is a hidden state. */
const LEVELS = 9
const MIDDLE = 4
const TEMPO_STEP = 0.05
const TEMPO_CHANGED = Math.exp(-2)
/** A verse is looked for within this share of the whole around its expected place. */
const BAND = 0.07
const BAND_MS = 15_000
/** Beyond this a search would take minutes: such a file is noise, or not one surah. */
const MOST_STATES = 4_000_000

/**
 * Where the verses of a recorded surah begin, from its pauses and the expected lengths of its verses
 * alone: all ways through (verse, span, tempo) are weighed, forwards and backwards. Undefined when
 * there is no way through.
 */
export function alignVerses(
  spans: readonly Span[],
  beats: readonly number[],
  { pins = new Map() }: AlignOptions = {},
): Alignment | undefined {
  const grid = layOut(spans, beats, pins)
  if (!grid) return undefined
  const flat = new Float64Array(spans.length + 1)
  const first = solve(grid, flat)
  if (!first || beats.length < 6 || spans.length < beats.length + 4) return first
  // How long this reciter pauses inside and between verses is learnt from the first solution.
  return solve(grid, pauseCosts(spans, first.starts)) ?? first
}

type Grid = {
  spans: readonly Span[]
  beats: readonly number[]
  pins: ReadonlyMap<number, number>
  /** Sound before each span, in milliseconds. */
  sound: number[]
  /** Logarithm of the expected length of one verse, and of it with the next. */
  expected: [one: number, two: number][]
  /** The spans among which each verse begins, and where its states lie. */
  low: number[]
  high: number[]
  offset: number[]
  states: number
}

function layOut(
  spans: readonly Span[],
  beats: readonly number[],
  pins: ReadonlyMap<number, number>,
): Grid | undefined {
  const verses = beats.length
  const end = spans.length
  if (verses === 0 || end === 0) return undefined
  const sound = sums(spans.map(([from, to]) => to - from))
  const before = sums(beats)
  const at = (list: number[], index: number) => list[index] ?? 0
  const rate = at(sound, end) / at(before, verses)
  const expected = beats.map((one, verse): [number, number] => [
    Math.log(one * rate),
    Math.log((one + (beats[verse + 1] ?? 0)) * rate),
  ])

  const low: number[] = []
  const high: number[] = []
  const fixed = [[0, 0] as const, ...[...pins].sort(([a], [b]) => a - b), [verses, end] as const]
  for (const [index, [verse, span]] of fixed.entries()) {
    const [next, nextSpan] = fixed[index + 1] ?? [verse, span]
    low[verse] = high[verse] = span
    const stretch = at(sound, nextSpan) - at(sound, span)
    const slack = BAND * stretch + BAND_MS
    for (let inner = verse + 1; inner < next; inner++) {
      const share = (at(before, inner) - at(before, verse)) / (at(before, next) - at(before, verse))
      const place = at(sound, span) + share * stretch
      low[inner] = Math.max(span, firstAt(sound, place - slack))
      high[inner] = Math.min(nextSpan, firstAt(sound, place + slack))
    }
  }
  const widths = low.map((from, verse) => Math.max(0, at(high, verse) - from + 1) * LEVELS)
  const offset = sums(widths)
  const states = at(offset, verses + 1)
  if (!(states <= MOST_STATES)) return undefined
  return { spans, beats, pins, sound, expected, low, high, offset, states }
}

function solve(grid: Grid, pauses: Float64Array): Alignment | undefined {
  const { spans, beats, pins, sound, expected, low, high, offset } = grid
  const verses = beats.length
  const lowOf = (verse: number) => low[verse] as number
  const highOf = (verse: number) => high[verse] as number
  const stateOf = (verse: number, span: number) =>
    (offset[verse] as number) + (span - lowOf(verse)) * LEVELS
  const before = scaledRows(grid)
  const after = scaledRows(grid)
  const weights = new Float64Array(LEVELS)

  /** How likely it is at each tempo that one or two verses from `verse` on are the spans `a` to `b`. */
  function weigh(verse: number, taken: 1 | 2, a: number, b: number) {
    const heard = Math.log((sound[b] as number) - (sound[a] as number))
    const off = heard - ((expected[verse] as [number, number])[taken - 1] as number)
    const paused = (pauses[b] as number) - (pauses[Math.min(a + 1, b)] as number)
    const fixed = Math.exp(-paused) * (taken === 2 ? JOINED : 1)
    for (let level = 0; level < LEVELS; level++) {
      const z = (off - (level - MIDDLE) * TEMPO_STEP) / SIGMA
      // Student's t with three degrees of freedom: a reciter may well linger over one verse.
      weights[level] = fixed / (1 + (z * z) / 3) ** 2
    }
  }

  function eachStep(verse: number, visit: (taken: 1 | 2, a: number, b: number) => void) {
    for (const taken of [1, 2] as const) {
      const next = verse + taken
      if (next > verses || (taken === 2 && pins.has(verse + 1))) continue
      const most = taken === 2 ? SPANS_PER_JOIN : SPANS_PER_VERSE
      for (let a = lowOf(verse); a <= highOf(verse) && a < spans.length; a++) {
        const last = Math.min(highOf(next), a + most)
        for (let b = Math.max(a + 1, lowOf(next)); b <= last; b++) {
          weigh(verse, taken, a, b)
          visit(taken, stateOf(verse, a), stateOf(verse + taken, b))
        }
      }
    }
  }

  for (let level = 0; level < LEVELS; level++) {
    before.values[stateOf(0, 0) + level] = Math.exp(-0.3 * Math.abs(level - MIDDLE))
    after.values[stateOf(verses, spans.length) + level] = 1
  }
  for (let verse = 0; verse < verses; verse++) {
    before.scale(verse, verse + 1)
    eachStep(verse, (_, here, there) => {
      for (let level = 0; level < LEVELS; level++) {
        const flow = (before.values[here + level] as number) * (weights[level] as number)
        for (let to = Math.max(0, level - 1); to <= Math.min(LEVELS - 1, level + 1); to++) {
          before.values[there + to] =
            (before.values[there + to] as number) + (to === level ? flow : flow * TEMPO_CHANGED)
        }
      }
    })
  }
  before.scale(verses)
  const goal = stateOf(verses, spans.length)
  const reached = before.values.subarray(goal, goal + LEVELS).reduce((sum, value) => sum + value, 0)
  const evidence = before.logOf(verses) + Math.log(reached)
  if (!Number.isFinite(evidence)) return undefined
  for (let verse = verses - 1; verse >= 0; verse--) {
    after.scale(verse + 1, verse + 2)
    eachStep(verse, (_, here, there) => {
      for (let level = 0; level < LEVELS; level++) {
        let flow = 0
        for (let to = Math.max(0, level - 1); to <= Math.min(LEVELS - 1, level + 1); to++) {
          const reached = after.values[there + to] as number
          flow += to === level ? reached : reached * TEMPO_CHANGED
        }
        after.values[here + level] =
          (after.values[here + level] as number) + flow * (weights[level] as number)
      }
    })
  }
  after.scale(0)

  const chances = beats.map((_, verse) => {
    const width = highOf(verse) - lowOf(verse) + 1
    const row = new Float64Array(width)
    const log = before.logOf(verse) + after.logOf(verse) - evidence
    for (let span = 0; span < width; span++) {
      const state = stateOf(verse, lowOf(verse) + span)
      let both = 0
      for (let level = 0; level < LEVELS; level++) {
        both += (before.values[state + level] as number) * (after.values[state + level] as number)
      }
      row[span] = both * Math.exp(log)
    }
    return row
  })
  return { ...chooseStarts(grid, chances), evidence }
}

/** Numbers that shrink with every verse: each row is brought back to 1 and remembers by how much. */
function scaledRows({ beats, offset, states }: Grid) {
  const values = new Float64Array(states)
  const logs = new Float64Array(beats.length + 1)
  let log = 0
  const rowOf = (verse: number) => values.subarray(offset[verse], offset[verse + 1])
  return {
    values,
    logOf: (verse: number) => logs[verse] as number,
    /** `other` has been written to already, and is in the same scale afterwards. */
    scale(verse: number, other?: number) {
      const row = rowOf(verse)
      const top = row.reduce((most, value) => Math.max(most, value), 0)
      log += Math.log(top)
      logs[verse] = log
      if (top === 0) return
      for (const index of row.keys()) row[index] = (row[index] as number) / top
      if (other === undefined || other > beats.length) return
      logs[other] = log
      const next = rowOf(other)
      for (const index of next.keys()) next[index] = (next[index] as number) / top
    },
  }
}

/** The first index at which a rising list reaches the value. */
function firstAt(rising: readonly number[], value: number): number {
  let low = 0
  let high = rising.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

function sums(values: readonly number[]): number[] {
  const total = [0]
  for (const value of values) total.push((total.at(-1) ?? 0) + value)
  return total
}
