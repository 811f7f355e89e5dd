import { duckdbTexts } from '@manara/log-query/duckdb'
import { COMMON_FIELDS } from '@manara/log-query/event'
import type {
  Bucket,
  FieldSummary,
  Incomplete,
  Limits,
  LogSelection,
  LogStore,
  ValueCount,
} from '../../ports/log-store.ts'
import { candidates, FIRST_COUNTED, prefixes, slices } from './plan.ts'
import { budgetOf, TimeLimitReached } from './readers.ts'
import { timeLimit } from './search.ts'
import type { Segment } from './segments.ts'
import { type Binding, createBinding, fromSegments, selectionCondition } from './statement.ts'
import type { Store } from './store.ts'

type HistogramRequest = Parameters<LogStore['histogram']>[0]

export async function histogramOf(store: Store, request: HistogramRequest, limits?: Limits) {
  const { bucketMs, by } = request
  const buckets = new Map<number, Bucket>()
  const partial = await eachSlice(
    store,
    request,
    limits,
    ({ bind }, from) => {
      const start = `CAST(floor(at_ms / ${bind(bucketMs)}) AS BIGINT) * ${bind(bucketMs)}`
      return `SELECT ${start} AS start, ${by ? 'value' : `'count'`} AS key, count(*)
      FROM (${from(`at_ms${by ? `, ${by} AS value` : ''}`)}) GROUP BY ALL`
    },
    (row) => {
      const from = Number(row[0])
      const bucket = buckets.get(from) ?? { from, counts: {} }
      const key = String(row[1])
      bucket.counts[key] = (bucket.counts[key] ?? 0) + Number(row[2])
      buckets.set(from, bucket)
    },
  )
  return { buckets: [...buckets.values()].toSorted((a, b) => a.from - b.from), partial }
}

type Statement = (binding: Binding, from: (columns: string) => string) => string

/** Adds up over slices, newest first, until the time limit. */
async function eachSlice(
  store: Store,
  selection: LogSelection,
  limits: Limits | undefined,
  statement: Statement,
  add: (row: unknown[]) => void,
): Promise<Incomplete> {
  const budget = budgetOf(limits)
  try {
    for (const segments of slices(await candidates(store, selection), 'desc', FIRST_COUNTED)) {
      for (const row of await readFrom(store, selection, segments, statement, budget)) add(row)
    }
    return null
  } catch (error) {
    if (error instanceof TimeLimitReached) return timeLimit(limits)
    throw error
  }
}

/** What cannot be added up is asked of ever longer stretches; the longest that was in time counts. */
export async function longestPrefix(
  store: Store,
  selection: LogSelection,
  limits: Limits | undefined,
  statement: Statement,
): Promise<{ rows: unknown[][]; partial: Incomplete }> {
  const budget = budgetOf(limits)
  let rows: unknown[][] = []
  try {
    for (const segments of prefixes(await candidates(store, selection), limits)) {
      rows = await readFrom(store, selection, segments, statement, budget)
    }
    return { rows, partial: null }
  } catch (error) {
    if (error instanceof TimeLimitReached) return { rows, partial: timeLimit(limits) }
    throw error
  }
}

function readFrom(
  store: Store,
  selection: LogSelection,
  segments: Segment[],
  statement: Statement,
  budget: ReturnType<typeof budgetOf>,
) {
  const binding = createBinding()
  const condition = selectionCondition(selection, binding)
  const sql = statement(binding, (columns) => fromSegments(segments, columns, condition))
  return store.readers.read(sql, binding.values, budget)
}

export async function topValuesOf(
  store: Store,
  request: LogSelection & { field: string; limit: number },
  limits?: Limits,
): Promise<{ values: ValueCount[]; partial: Incomplete }> {
  const { rows, partial } = await longestPrefix(store, request, limits, ({ bind }, from) => {
    const texts = duckdbTexts(request.field, bind) ?? '[]::VARCHAR[]'
    return `SELECT value, count(*) AS n FROM (${from(`unnest(${texts}) AS value`)})
      WHERE value IS NOT NULL GROUP BY value ORDER BY n DESC, value LIMIT ${bind(request.limit)}`
  })
  return { values: rows.map(([value, n]) => ({ value: String(value), count: Number(n) })), partial }
}

const COMMON = COMMON_FIELDS.map((name) => `"${name}"`)

export async function fieldsOf(store: Store, selection: LogSelection, limits?: Limits) {
  const { rows, partial } = await longestPrefix(
    store,
    selection,
    limits,
    (_, from) => `WITH chosen AS (${from(`${COMMON.join(', ')}, names, vals, kinds, sep`)}),
      each AS (SELECT unnest(string_split(names, sep[1])) AS name,
        unnest(string_split(vals, sep[1])) AS value,
        unnest(string_split(split_part(kinds, chr(10), 1), ',')) AS kind
        FROM chosen WHERE names IS NOT NULL)
      SELECT name, string_agg(DISTINCT kind, ''), count(*), count(DISTINCT value), false
      FROM each WHERE name IS NOT NULL GROUP BY name
      UNION ALL ${COMMON.map(
        (column) => `SELECT '${column.slice(1, -1)}', 's', count(${column}),
          count(DISTINCT ${column}), true FROM chosen`,
      ).join(' UNION ALL ')}`,
  )
  const fields = rows.flatMap(([name, kinds, count, distinct, isCommon]): FieldSummary[] => {
    if (Number(count) === 0) return []
    const isHidden = !isCommon && isColumnName(String(name))
    return [
      {
        name: isHidden ? `fields.${name}` : String(name),
        types: typesOf(String(kinds)),
        count: Number(count),
        distinct: Number(distinct),
      },
    ]
  })
  return {
    fields: fields.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
    partial,
  }
}

const isColumnName = (name: string) =>
  name === 'timestamp' || COMMON_FIELDS.some((common) => common === name)

const TYPES = [
  ['s', 'text'],
  ['n', 'number'],
  ['b', 'boolean'],
] as const

const typesOf = (kinds: string) =>
  TYPES.flatMap(([letter, type]) => (kinds.includes(letter) ? [type] : []))
