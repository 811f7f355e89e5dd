import { invalid } from '@manara/kit/errors'
import { duckdbCondition } from '@manara/log-query/duckdb'
import { countConditions, joinAlternatives } from '@manara/log-query/join-alternatives'
import type { LogSelection, TimeRange } from '../../ports/log-store.ts'
import type { Weight } from './reader-turns.ts'
import type { Budget, Value } from './readers.ts'
import { eventsIn, runsOf, type Segment } from './segments.ts'

/** Collects the values of one statement; whatever came from outside goes through here. */
export function createBinding() {
  const values: Value[] = []
  return {
    values,
    bind(value: Value) {
      values.push(value)
      return `$${values.length}`
    },
  }
}

export type Binding = ReturnType<typeof createBinding>

/** Each takes memory for every thread of the engine, whatever its own limit. */
const MOST_CONDITIONS = 200

export function selectionCondition({ query, time, received }: LogSelection, { bind }: Binding) {
  const joined = joinAlternatives(query)
  const conditions = countConditions(joined)
  if (conditions > MOST_CONDITIONS) {
    throw invalid(
      'q',
      `asks for ${conditions} different conditions: at most ${MOST_CONDITIONS} can be searched at once`,
    )
  }
  return [
    ...rangeConditions('at_ms', time, bind),
    ...rangeConditions('received_ms', received, bind),
    duckdbCondition(joined, bind),
  ].join(' AND ')
}

export function rangeConditions(
  column: string,
  range: TimeRange | undefined,
  bind: Binding['bind'],
) {
  return [
    ...(range?.from === undefined ? [] : [`${column} >= ${bind(range.from)}`]),
    ...(range?.to === undefined ? [] : [`${column} < ${bind(range.to)}`]),
  ]
}

/** The last few thousand events, and what a filter leaves of a rare text. */
const [LIGHT_EVENTS, MIDDLE_EVENTS] = [30_000, 150_000]
/** A question that took longer than this is no longer so light, however little it reads at once. */
const [LIGHT_MS, MIDDLE_MS] = [40, 150]

/** By all that a question has to read, not by a slice of it: what others should not wait for is heavy. */
export function weightOf(segments: Segment[], { taken, least = 0 }: Budget): Weight {
  const events = eventsIn(segments)
  const ms = taken?.allMs ?? 0
  if (events > MIDDLE_EVENTS || ms > MIDDLE_MS) return 2
  return events > LIGHT_EVENTS || ms > LIGHT_MS || least > 0 ? 1 : 0
}

/**
 * The chosen columns of the events in these segments, as one UNION ALL of runs of neighbouring
 * segments: DuckDB finds each run by its zone maps, which it does not for a list of numbers.
 */
export function fromSegments(segments: Segment[], columns: string, condition: string): string {
  return [...Map.groupBy(segments, ({ partition }) => partition.alias)]
    .flatMap(([alias, own]) =>
      runsOf(own).map(
        (run) => `SELECT ${columns} FROM ${alias}.logs
          WHERE seg BETWEEN ${run[0]?.seg} AND ${run.at(-1)?.seg} AND ${condition}`,
      ),
    )
    .join(' UNION ALL ')
}
