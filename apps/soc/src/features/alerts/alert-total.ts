import type { AlertFilter } from '@manara/soc-contract/alerts'
import { type RawBuilder, sql } from 'kysely'
import { inTimeOrder, matching } from './alert-filter.ts'

const COUNTED = ['severity', 'status', 'source'] as const
/** What other matches are counted up to. */
export const AT_MOST = 10_000

/**
 * How many alerts match, as a subquery. Exact, and as cheap at a million alerts as at ten, for the
 * filters of the contract: those are counted as alerts change (migration 111). With any other
 * filter the matches are counted when asked for, up to 10,000, so that a page never waits for its
 * total; `has_more` goes on telling the truth.
 */
export const alertTotal = (filter: AlertFilter): RawBuilder<string> =>
  isCounted(filter) ? sumOfCounts(filter) : countUpTo(filter)

/** Whether the number of matches is known without a look at the alerts. */
export const isCounted = (filter: AlertFilter): boolean =>
  Object.entries(filter).every(
    ([name, value]) => value === undefined || COUNTED.some((counted) => counted === name),
  )

export function sumOfCounts(filter: AlertFilter): RawBuilder<string> {
  const conditions = COUNTED.filter((name) => filter[name] !== undefined).map(
    (name) => sql`${sql.ref(name)} = ANY(${[filter[name]].flat()}::text[])`,
  )
  const group = conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`
  return sql`(SELECT coalesce(sum(amount), 0) FROM alert_counts WHERE ${group})`
}

function countUpTo(filter: AlertFilter): RawBuilder<string> {
  return sql`(SELECT count(*) FROM (
    SELECT FROM alerts WHERE ${matching(filter)} AND ${inTimeOrder(filter)} LIMIT ${AT_MOST}
  ) AS counted)`
}
