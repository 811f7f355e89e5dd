import type { Slice } from './packed-logs.ts'

/** Pairs of source and severity under a number each, for all segments of a store. */
export function createRollupKeys() {
  const numbers = new Map<string, Map<string, number>>()
  const pairs: (readonly [source: string, severity: string])[] = []
  return {
    numberOf(source: string, severity: string): number {
      const bySeverity = numbers.get(source) ?? new Map<string, number>()
      if (bySeverity.size === 0) numbers.set(source, bySeverity)
      let number = bySeverity.get(severity)
      if (number === undefined) {
        number = pairs.push([source, severity]) - 1
        bySeverity.set(severity, number)
      }
      return number
    },
    pairs: pairs as readonly (readonly [source: string, severity: string])[],
  }
}

export type RollupKeys = ReturnType<typeof createRollupKeys>

/** How many events of a segment fall into each stretch of time, by source and severity. */
export type Rollup = {
  stepMs: number
  /** Where each stretch begins, in milliseconds since 1970. */
  starts: Float64Array
  keys: Uint32Array
  counts: Uint32Array
}

export const HOUR_MS = 3_600_000
const STEPS_MS = [60_000, HOUR_MS] as const
/** With more it would take as much memory as it saves reading. */
const MOST_ENTRIES = 1_024
const MOST_KEYS = 2 ** 20

export type Entry = { at: number; key: number; count: number }

/** Nothing where even hours make too many. */
export function rollUp({ batch, from, to }: Slice, keys: RollupKeys): Rollup | undefined {
  const numbers = batch.pairs.map((pair) => keys.numberOf(...pair))
  const counts = new Map<number, Map<number, Entry>>()
  let minute = Number.NaN
  let byKey = new Map<number, Entry>()
  for (let row = from; row < to; row++) {
    const at = batch.at[row] as number
    const own = Math.floor(at / STEPS_MS[0])
    // Most come in the same minute as the one before.
    if (own !== minute) {
      minute = own
      byKey = counts.get(minute) ?? new Map()
      if (byKey.size === 0) counts.set(minute, byKey)
    }
    const key = numbers[batch.pairOf[row] as number] as number
    const entry = byKey.get(key)
    if (entry) entry.count += 1
    else byKey.set(key, { at, key, count: 1 })
  }
  return sumUp([...counts.values()].flatMap((byKey) => [...byKey.values()]))
}

/** Of counts by minute. */
export const sumUp = (entries: readonly Entry[]) => summed(STEPS_MS[0], () => entries)

export function mergeRollups(rollups: readonly Rollup[]): Rollup | undefined {
  if (rollups.length === 1) return rollups[0]
  const leastStep = Math.max(STEPS_MS[0], ...rollups.map(({ stepMs }) => stepMs))
  return summed(leastStep, function* () {
    for (const rollup of rollups) yield* entriesOf(rollup)
  })
}

function* entriesOf({ starts, keys, counts }: Rollup): Generator<Entry> {
  for (let i = 0; i < starts.length; i++) {
    yield { at: starts[i] as number, key: keys[i] as number, count: counts[i] as number }
  }
}

function summed(leastStep: number, entries: () => Iterable<Entry>): Rollup | undefined {
  for (const stepMs of STEPS_MS) {
    if (stepMs < leastStep) continue
    const sums = new Map<number, number>()
    for (const { at, key, count } of entries()) {
      if (key >= MOST_KEYS) return undefined
      const place = Math.floor(at / stepMs) * MOST_KEYS + key
      sums.set(place, (sums.get(place) ?? 0) + count)
    }
    if (sums.size <= MOST_ENTRIES) return toRollup(stepMs, sums)
  }
  return undefined
}

function toRollup(stepMs: number, sums: Map<number, number>): Rollup {
  const places = [...sums.keys()].toSorted((a, b) => a - b)
  const step = (place: number) => Math.floor(place / MOST_KEYS)
  return {
    stepMs,
    starts: Float64Array.from(places, (place) => step(place) * stepMs),
    keys: Uint32Array.from(places, (place) => place - step(place) * MOST_KEYS),
    counts: Uint32Array.from(places, (place) => sums.get(place) ?? 0),
  }
}

/** Without the events of some sources. */
export function withoutSources(rollup: Rollup, keys: RollupKeys, sources: string[]): Rollup {
  const gone = keys.pairs.map(([source]) => sources.includes(source))
  const kept = [...rollup.keys.keys()].filter((at) => !gone[rollup.keys[at] as number])
  return {
    stepMs: rollup.stepMs,
    starts: Float64Array.from(kept, (at) => rollup.starts[at] as number),
    keys: Uint32Array.from(kept, (at) => rollup.keys[at] as number),
    counts: Uint32Array.from(kept, (at) => rollup.counts[at] as number),
  }
}

type Packed = [stepMs: number, pairs: (readonly [string, string])[], entries: number[]]

/** Starts are counted in steps, each from the one before; keys are of this note alone. */
export function packRollup({ stepMs, starts, keys, counts }: Rollup, table: RollupKeys): Buffer {
  const own = new Map<number, number>()
  const entries: number[] = []
  let before = 0
  for (let i = 0; i < starts.length; i++) {
    const key = keys[i] as number
    if (!own.has(key)) own.set(key, own.size)
    const step = (starts[i] as number) / stepMs
    entries.push(step - before, own.get(key) as number, counts[i] as number)
    before = step
  }
  const pairs = [...own.keys()].map((key) => table.pairs[key] as readonly [string, string])
  return Buffer.from(JSON.stringify([stepMs, pairs, entries] satisfies Packed))
}

export function unpackRollup(note: Buffer, table: RollupKeys): Rollup {
  const [stepMs, pairs, entries] = JSON.parse(note.toString()) as Packed
  const numbers = pairs.map((pair) => table.numberOf(...pair))
  const length = entries.length / 3
  const rollup = {
    stepMs,
    starts: new Float64Array(length),
    keys: new Uint32Array(length),
    counts: new Uint32Array(length),
  }
  let step = 0
  for (let i = 0; i < length; i++) {
    step += entries[3 * i] as number
    rollup.starts[i] = step * stepMs
    rollup.keys[i] = numbers[entries[3 * i + 1] as number] as number
    rollup.counts[i] = entries[3 * i + 2] as number
  }
  return rollup
}
