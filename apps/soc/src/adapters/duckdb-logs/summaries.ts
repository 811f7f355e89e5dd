import { nextTurn } from '@manara/kit/turns'
import { COMMON_FIELDS } from '@manara/log-query/event'
import type {
  FieldSummary,
  Incomplete,
  Limits,
  LogSelection,
  LogStore,
} from '../../ports/log-store.ts'
import { beginBuckets } from '../histogram-buckets.ts'
import { asksOnlyForKeys } from '../key-questions.ts'
import { keyCounts } from './count-keys.ts'
import { budgetOf, TimeLimitReached } from './readers.ts'
import { timeLimit } from './search.ts'
import { eachSlice, longestPrefix } from './slice-statements.ts'
import type { Store } from './store.ts'
import type { NameOf } from './sum-keys.ts'

type HistogramRequest = Parameters<LogStore['histogram']>[0]

export async function histogramOf(store: Store, request: HistogramRequest, limits?: Limits) {
  const { bucketMs, by } = request
  const { add, inOrder } = beginBuckets()
  if (asksOnlyForKeys(request.query)) {
    const nameOf = (source: string, severity: string) => (by ? { source, severity }[by] : 'count')
    const { partial } = await countByKey(store, request, bucketMs, limits, nameOf, add)
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
    (rows) => {
      for (const row of rows) add(Number(row[0]), String(row[1]), Number(row[2]))
    },
  )
  return { buckets: inOrder(), partial }
}

/** What only source, severity and time decide about, mostly without reading an event. */
export async function countByKey(
  store: Store,
  selection: LogSelection,
  bucketMs: number | undefined,
  limits: Limits | undefined,
  nameOf: NameOf,
  add: (at: number, name: string, count: number) => void,
): Promise<{ partial: Incomplete }> {
  const budget = budgetOf(limits)
  const counts = keyCounts(store, selection, bucketMs, nameOf)
  const reading = counts.addRead(add, budget)
  // In the next turn the engine has begun to read.
  const adding = nextTurn().then(() => counts.addKnown(add))
  const [read, known] = await Promise.allSettled([reading, adding])
  if (known.status === 'rejected') throw known.reason
  if (read.status === 'fulfilled') return { partial: null }
  if (read.reason instanceof TimeLimitReached) return { partial: timeLimit(limits) }
  throw read.reason
}

/** Events of one kind share one text with all their names. */
export async function fieldNamesOf(store: Store, selection: LogSelection, limits?: Limits) {
  const names = new Set<string>()
  const partial = await eachSlice(
    store,
    selection,
    limits,
    (_, from) =>
      `SELECT DISTINCT names, cut FROM (${from('names, sep[1] AS cut')}) WHERE names IS NOT NULL`,
    (rows) => {
      for (const [joined, cut] of rows) {
        for (const name of String(joined).split(String(cut))) names.add(name)
      }
    },
  )
  return { names: [...names], partial }
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
        unnest(string_split(split_part(kinds, chr(10), 1), ',')) AS kind, sep[2] AS cut
        FROM chosen WHERE names IS NOT NULL),
      seen AS (SELECT name, value, kind, CASE WHEN kind[1] = '[' THEN cut END AS cut, count(*) AS n
        FROM each WHERE name IS NOT NULL GROUP BY ALL),
      parted AS (SELECT name, kind, unnest([n]) AS n, unnest(
        CASE WHEN cut IS NULL THEN [value] ELSE string_split(value, cut) END) AS value FROM seen)
      SELECT name, string_agg(DISTINCT kind, ''), sum(n), count(DISTINCT value), false
      FROM parted GROUP BY name
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
