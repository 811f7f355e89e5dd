import {
  type Aggregate,
  type Group,
  type Measure,
  type Places,
  placesIn,
} from '@manara/log-query/aggregate'
import { NUMERIC } from '@manara/log-query/ast'
import { DUCKDB_MOMENT, duckdbTexts, duckdbValues } from '@manara/log-query/duckdb'
import type { Limits, LogSelection } from '../../ports/log-store.ts'
import { asksOnlyForKeys, isKey } from '../key-questions.ts'
import { longestPrefix } from './slice-statements.ts'
import type { Binding } from './statement.ts'
import type { Store } from './store.ts'
import { countByKey } from './summaries.ts'

type Bind = Binding['bind']

/** Groups and their measures in one statement; groups cannot be added up over stretches of time. */
export async function aggregateOf(
  store: Store,
  request: LogSelection & Aggregate,
  limits?: Limits,
) {
  const { by, measures, mostGroups } = request
  if (isOfKeys(request)) return aggregateKeys(store, request, limits)
  const { rows, partial } = await longestPrefix(store, request, limits, ({ bind }, from) => {
    const lists = by.map((one) =>
      'field' in one ? elements(one, bind) : `[CAST(${bucket(one.bucketMs)} AS VARCHAR)]`,
    )
    const hasLists = measures.some(({ kind }) => kind === 'distinct')
    const one = (value: string) => (hasLists ? `[${value}]` : value)
    const columns = [
      ...lists.map((list, at) => `${list} AS l${at}`),
      ...measures.map((measure, at) => `${measured(measure, bind, one)} AS m${at}`),
      `${one('1')} AS one`,
    ]
    const keys = by.map((_, at) => `k${at}`)
    const totals = measures.map((measure, at) => total(measure, `m${at}`))
    // Side by side: where one of them has more values, the others have nulls beside these.
    const spread = ['one', ...measures.map((_, at) => `m${at}`)].map((name) =>
      hasLists ? `unnest(${name}) AS ${name}` : name,
    )
    return `SELECT ${[...keys, ...totals].join(', ')}
      FROM (SELECT ${[...keys, ...spread].join(', ')}
        FROM (${unnested(from(columns.join(', ')), by.length)}))
      ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}
      ORDER BY count(one) DESC LIMIT ${bind(mostGroups + 1)}`
  })
  return {
    groups: rows.slice(0, mostGroups).map(groupOf),
    hasMore: rows.length > mostGroups,
    partial,
  }

  function groupOf(row: unknown[]): Group {
    return {
      keys: by.map((one, at) => keyOf(row[at], 'bucketMs' in one)),
      values: measures.map((_, at) => numberOf(row[by.length + at])),
    }
  }
}

/** One bucket at most, and nothing but counts. */
const isOfKeys = ({ query, by, measures }: LogSelection & Aggregate) =>
  asksOnlyForKeys(query) &&
  by.every((one) => 'bucketMs' in one || (isKey(one.field) && !one.also)) &&
  by.filter((one) => 'bucketMs' in one).length <= 1 &&
  by.length > 0 &&
  measures.every(({ kind }) => kind === 'count')

async function aggregateKeys(store: Store, request: LogSelection & Aggregate, limits?: Limits) {
  const { by, measures, mostGroups } = request
  const bucketMs = by.flatMap((one) => ('bucketMs' in one ? one.bucketMs : []))[0]
  const groups = new Map<string, { keys: Group['keys']; count: number }>()
  const { partial } = await countByKey(
    store,
    request,
    bucketMs,
    limits,
    (...pair) => JSON.stringify(pair),
    (at, name, count) => {
      const [source, severity] = JSON.parse(name) as [string, string]
      const pair = { source, severity }
      const keys = by.map((one) =>
        'bucketMs' in one ? at : isKey(one.field) ? pair[one.field] : '',
      )
      const place = JSON.stringify(keys)
      const group = groups.get(place)
      if (group) group.count += count
      else groups.set(place, { keys, count })
    },
  )
  const most = [...groups.values()].toSorted((a, b) => b.count - a.count).slice(0, mostGroups)
  return {
    groups: most.map(({ keys, count }): Group => ({ keys, values: measures.map(() => count) })),
    hasMore: groups.size > mostGroups,
    partial,
  }
}

const bucket = (ms: number) => `CAST(floor(at_ms / ${Number(ms)}) AS BIGINT) * ${Number(ms)}`

/** What an event has for it: a list of different values, or one. */
function measured(measure: Measure, bind: Bind, one: (value: string) => string): string {
  if (measure.kind === 'count') return one('1')
  if (measure.kind === 'distinct') return duckdbValues(placesIn(measure), bind)
  return one(firstOf(measure, bind))
}

const firstOf = (places: Places, bind: Bind) =>
  `coalesce(${placesIn(places)
    .map((field) => `(${duckdbTexts(field, bind) ?? DUCKDB_MOMENT})[1]`)
    .join(', ')})`

/** Each value once; nothing at all is one null. */
function elements(places: Places, bind: Bind): string {
  const list = `coalesce(${duckdbValues(placesIn(places), bind)}, [])`
  return `CASE WHEN len(${list}) = 0 THEN [CAST(NULL AS VARCHAR)] ELSE ${list} END`
}

/** One list after the other, so that an event is in every combination of its values. */
function unnested(from: string, count: number): string {
  let statement = from
  for (let at = 0; at < count; at += 1) {
    statement = `SELECT * EXCLUDE (l${at}), unnest(l${at}) AS k${at} FROM (${statement})`
  }
  return statement
}

function total(measure: Measure, text: string): string {
  if (measure.kind === 'count') return `count(${text})`
  if (measure.kind === 'distinct') return `count(DISTINCT ${text})`
  const number = `CASE WHEN regexp_matches(${text}, '${NUMERIC}') THEN CAST(${text} AS DOUBLE) END`
  if (measure.kind !== 'percentile') return `${measure.kind}(${number})`
  const share = Number(measure.at) / 100
  return `list_sort(list(${number}) FILTER (${number} IS NOT NULL))[
    1 + least(count(${number}) - 1, CAST(floor(${share} * count(${number})) AS BIGINT))]`
}

const keyOf = (value: unknown, isMoment: boolean) =>
  value === null ? null : isMoment ? Number(value) : String(value)

const numberOf = (value: unknown) => (value === null ? null : Number(value))
