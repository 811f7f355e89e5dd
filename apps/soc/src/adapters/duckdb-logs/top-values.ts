import { type Places, placesIn } from '@manara/log-query/aggregate'
import { duckdbValues } from '@manara/log-query/duckdb'
import { compareText } from '@manara/log-query/fold'
import type { Incomplete, Limits, LogSelection, ValueCount } from '../../ports/log-store.ts'
import { asksOnlyForKeys, isKey } from '../key-questions.ts'
import { budgetOf } from './readers.ts'
import { eachSlice, longestPrefix } from './slice-statements.ts'
import type { Binding } from './statement.ts'
import type { Store } from './store.ts'
import { countByKey } from './summaries.ts'

/** Of more different values than this the engine keeps count, in one statement over all events. */
const MOST_VALUES = 20_000

type Counted = { values: ValueCount[]; partial: Incomplete }
type Request = LogSelection & Places & { limit: number }

export async function topValuesOf(
  store: Store,
  request: Request,
  limits?: Limits,
): Promise<Counted> {
  const { field, also, limit } = request
  if (isKey(field) && !also && asksOnlyForKeys(request.query)) {
    const counts = new Map<string, number>()
    const nameOf = (source: string, severity: string) => ({ source, severity })[field]
    const { partial } = await countByKey(store, request, undefined, limits, nameOf, (_, name, n) =>
      counts.set(name, (counts.get(name) ?? 0) + n),
    )
    return { values: mostOf(counts, limit), partial }
  }
  const budget = budgetOf(limits)
  const added = await addUpValues(store, request, limits, budget)
  if (added) return added
  const { rows, partial } = await longestPrefix(
    store,
    request,
    limits,
    (binding, from) =>
      `${countsOf(request, binding, from)} ORDER BY n DESC, value LIMIT ${binding.bind(limit)}`,
    budget,
  )
  return { values: rows.map(([value, n]) => ({ value: String(value), count: Number(n) })), partial }
}

/** Nothing when there are too many different ones. */
async function addUpValues(
  store: Store,
  request: Request,
  limits: Limits | undefined,
  budget: ReturnType<typeof budgetOf>,
): Promise<Counted | undefined> {
  const counts = new Map<string, number>()
  let isTooMuch = false
  const partial = await eachSlice(
    store,
    request,
    limits,
    (binding, from) => `${countsOf(request, binding, from)} LIMIT ${MOST_VALUES + 1}`,
    (rows) => {
      for (const [value, n] of rows) {
        counts.set(String(value), (counts.get(String(value)) ?? 0) + Number(n))
      }
      isTooMuch ||= rows.length > MOST_VALUES || counts.size > MOST_VALUES
      return !isTooMuch
    },
    budget,
  )
  return isTooMuch ? undefined : { values: mostOf(counts, request.limit), partial }
}

const countsOf = (places: Places, { bind }: Binding, from: (columns: string) => string) =>
  `SELECT value, count(*) AS n
    FROM (${from(`unnest(${duckdbValues(placesIn(places), bind)}) AS value`)})
    WHERE value IS NOT NULL GROUP BY value`

const mostOf = (counts: Map<string, number>, limit: number): ValueCount[] =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
    .slice(0, limit)
