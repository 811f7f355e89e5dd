import { NUMERIC } from './ast.ts'
import { type FieldValue, type LogRecord, locate } from './event.ts'

/** A field, and other places that mean the same: an event counts for each value in any of them, once. */
export type Places = { field: string; also?: string[] | undefined }

export const placesIn = ({ field, also = [] }: Places): string[] => [field, ...also]

/** The values of a field, or stretches of so many milliseconds. */
export type GroupBy = Places | { bucketMs: number }

/**
 * `distinct` counts the different values in all places of a field. The others take the first value of
 * each event, in the order of the places, where its text is NUMERIC, and are null without any; a
 * percentile is one of the values, the one at that share of them in order.
 */
export type Measure =
  | { kind: 'count' }
  | ({ kind: 'distinct' | 'min' | 'max' | 'sum' | 'avg' } & Places)
  | ({ kind: 'percentile'; at: number } & Places)

export type Aggregate = { by: GroupBy[]; measures: Measure[]; mostGroups: number }

/** A key is the text of a value, null where events have none, or the start of a stretch. */
export type Group = { keys: (string | number | null)[]; values: (number | null)[] }

const NUMBER = new RegExp(NUMERIC)

/** What the stores compute, over events in memory: for the showcase, and to hold the stores to. */
export function aggregateEvents(
  logs: LogRecord[],
  { by, measures, mostGroups }: Aggregate,
): { groups: Group[]; hasMore: boolean } {
  const groups = new Map<string, { keys: Group['keys']; logs: LogRecord[] }>()
  for (const log of logs) {
    for (const keys of keysOf(log, by)) {
      const id = JSON.stringify(keys)
      const known = groups.get(id)
      if (known) known.logs.push(log)
      else groups.set(id, { keys, logs: [log] })
    }
  }
  const largest = [...groups.values()].sort((a, b) => b.logs.length - a.logs.length)
  return {
    groups: largest.slice(0, mostGroups).map(({ keys, logs: inside }) => ({
      keys,
      values: measures.map((measure) => measureOf(inside, measure)),
    })),
    hasMore: largest.length > mostGroups,
  }
}

/** An event with a list is in the group of each of its elements, one without the field in null's. */
function keysOf(log: LogRecord, by: GroupBy[]): Group['keys'][] {
  let keys: Group['keys'][] = [[]]
  for (const one of by) {
    const texts = 'bucketMs' in one ? [] : [...new Set(textsOf(log, one))]
    const values =
      'bucketMs' in one
        ? [Math.floor(log.at / one.bucketMs) * one.bucketMs]
        : texts.length === 0
          ? [null]
          : texts
    keys = keys.flatMap((before) => values.map((value) => [...before, value]))
  }
  return keys
}

function measureOf(logs: LogRecord[], measure: Measure): number | null {
  if (measure.kind === 'count') return logs.length
  if (measure.kind === 'distinct') return new Set(logs.flatMap((log) => textsOf(log, measure))).size
  const firsts = logs.flatMap((log) => textsOf(log, measure).slice(0, 1))
  const numbers = firsts.filter((text) => NUMBER.test(text)).map(Number)
  if (numbers.length === 0) return null
  const sorted = numbers.toSorted((a, b) => a - b)
  const sum = numbers.reduce((total, one) => total + one, 0)
  switch (measure.kind) {
    case 'min':
      return sorted[0] ?? null
    case 'max':
      return sorted.at(-1) ?? null
    case 'sum':
      return sum
    case 'avg':
      return sum / numbers.length
    case 'percentile':
      return (
        sorted[Math.min(Math.floor((measure.at / 100) * sorted.length), sorted.length - 1)] ?? null
      )
  }
}

const textsOf = (log: LogRecord, places: Places) =>
  placesIn(places).flatMap((name) => textsAt(log, name))

function textsAt(log: LogRecord, name: string): string[] {
  const location = locate(name)
  if (location.kind === 'timestamp') return [String(log.at)]
  const value: FieldValue | undefined =
    location.kind === 'column' ? log[location.column] : log.fields[location.name]
  return [value ?? null].flat().flatMap((one) => (one === null ? [] : [String(one)]))
}
