import { duckdbTexts } from '@manara/log-query/duckdb'
import { COMMON_FIELDS } from '@manara/log-query/event'
import { compareText } from '@manara/log-query/fold'
import type {
  Bucket,
  FieldSummary,
  Incomplete,
  Limits,
  LogSelection,
  LogStore,
  ValueCount,
} from '../../ports/log-store.ts'
import { asksOnlyForKeys, isKey } from '../key-questions.ts'
import { keyCounts } from './count-keys.ts'
import { candidates, FIRST_COUNTED, prefixes, slices } from './plan.ts'
import { budgetOf, TimeLimitReached } from './readers.ts'
import { timeLimit } from './search.ts'
import type { Segment } from './segments.ts'
import {
  type Binding,
  createBinding,
  fromSegments,
  selectionCondition,
  weightOf,
} from './statement.ts'
import type { Store } from './store.ts'

type HistogramRequest = Parameters<LogStore['histogram']>[0]

export async function histogramOf(store: Store, request: HistogramRequest, limits?: Limits) {
  const { bucketMs, by } = request
  const buckets = new Map<number, Bucket>()
  const add = (from: number, key: string, count: number) => {
    const bucket = buckets.get(from) ?? { from, counts: {} }
    bucket.counts[key] = (bucket.counts[key] ?? 0) + count
    buckets.set(from, bucket)
  }
  const inOrder = () => [...buckets.values()].toSorted((a, b) => a.from - b.from)
  if (asksOnlyForKeys(request.query)) {
    const { partial } = await countByKey(store, request, bucketMs, limits, (at, keys, count) =>
      add(at, by ? keys[by] : 'count', count),
    )
    return { buckets: inOrder(), partial }
  }
  const partial = await eachSlice(
    store,
    request,
    limits,
    ({ bind }, from) => {
      const start = `CAST(floor(at_ms / ${bind(bucketMs)}) AS BIGINT) * ${bind(bucketMs)}`
      return `SELECT ${start} AS start, ${by ? 'value' : `'count'`} AS key, count(*)
      FROM (${from(`at_ms${by ? `, ${by} AS value` : ''}`)}) GROUP BY ALL`
    },
    (row) => add(Number(row[0]), String(row[1]), Number(row[2])),
  )
  return { buckets: inOrder(), partial }
}

/** What only source, severity and time decide about, mostly without reading an event. */
export async function countByKey(
  store: Store,
  selection: LogSelection,
  bucketMs: number | undefined,
  limits: Limits | undefined,
  add: (at: number, keys: Record<'source' | 'severity', string>, count: number) => void,
): Promise<{ partial: Incomplete }> {
  const budget = budgetOf(limits)
  const counts = keyCounts(store, selection, bucketMs)
  try {
    const each = (at: number, source: string, severity: string, count: number) =>
      add(at, { source, severity }, count)
    counts.addKnown(each)
    await counts.addRead(each, budget)
    return { partial: null }
  } catch (error) {
    if (error instanceof TimeLimitReached) return { partial: timeLimit(limits) }
    throw error
  }
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
    for (const segments of slices(
      await candidates(store, selection, limits),
      'desc',
      FIRST_COUNTED,
    )) {
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
    for (const segments of prefixes(await candidates(store, selection, limits), limits)) {
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
  return store.readers.read(sql, binding.values, budget, weightOf(segments))
}

export async function topValuesOf(
  store: Store,
  request: LogSelection & { field: string; limit: number },
  limits?: Limits,
): Promise<{ values: ValueCount[]; partial: Incomplete }> {
  const { field, limit } = request
  if (isKey(field) && asksOnlyForKeys(request.query)) {
    const counts = new Map<string, number>()
    const { partial } = await countByKey(store, request, undefined, limits, (_, keys, count) =>
      counts.set(keys[field], (counts.get(keys[field]) ?? 0) + count),
    )
    const values = [...counts]
      .map(([value, count]) => ({ value, count }))
      .toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
    return { values: values.slice(0, limit), partial }
  }
  const { rows, partial } = await longestPrefix(store, request, limits, ({ bind }, from) => {
    const texts = duckdbTexts(field, bind) ?? '[]::VARCHAR[]'
    return `SELECT value, count(*) AS n FROM (${from(`unnest(${texts}) AS value`)})
      WHERE value IS NOT NULL GROUP BY value ORDER BY n DESC, value LIMIT ${bind(limit)}`
  })
  return { values: rows.map(([value, n]) => ({ value: String(value), count: Number(n) })), partial }
}

/** Events of one kind share one text with all their names. */
export async function fieldNamesOf(store: Store, selection: LogSelection, limits?: Limits) {
  const names = new Set<string>()
  await eachSlice(
    store,
    selection,
    limits,
    (_, from) =>
      `SELECT DISTINCT names, cut FROM (${from('names, sep[1] AS cut')}) WHERE names IS NOT NULL`,
    ([joined, cut]) => {
      for (const name of String(joined).split(String(cut))) names.add(name)
    },
  )
  return [...names]
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
