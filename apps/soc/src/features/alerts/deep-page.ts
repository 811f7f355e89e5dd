import type { AlertFilter } from '@manara/soc-contract/alerts'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ordered, type Sort } from '../../db/keyset.ts'
import type { Tables } from '../../db/tables.ts'
import { inTimeOrder, matching } from './alert-filter.ts'
import { isCounted, sumOfCounts } from './alert-total.ts'

/** From here on it is worth finding out which alerts a page has before they are read. */
export const DEEP = 1_000

type Page = { filter: AlertFilter; sort: Sort; skip: number; limit: number }

/**
 * The ids of a page far down the list. Skipping reads what it skips: half a million alerts take
 * seconds, as many entries of an index a tenth of one. So hours are jumped over by their counts
 * where they are counted, and the rest is walked in an index that holds the order and the id, from
 * the end of the list where that is nearer.
 */
export async function idsOfPage(db: Kysely<Tables>, page: Page): Promise<RawBuilder<string[]>> {
  if (isCountedByHour(page)) return walk({ ...page, ...(await overHours(db, page)) })
  if (!isCounted(page.filter)) return walk(page)
  const total = sumOfCounts(page.filter)
  const { rows } = await sql<{ total: string }>`SELECT ${total} AS total`.execute(db)
  const isNearEnd = page.skip > Number(rows[0]?.total) / 2
  return isNearEnd ? walkBack(page, total) : walk(page)
}

const walk = ({ filter, sort, skip, limit }: Page) =>
  idsInOrder(filter, sort, sql`OFFSET ${skip} LIMIT ${limit}`)

/** `total` is read in the same moment as the alerts: what is raised meanwhile moves neither. */
function walkBack({ filter, sort, skip, limit }: Page, total: RawBuilder<string>) {
  const reversed: Sort = { ...sort, order: sort.order === 'asc' ? 'desc' : 'asc' }
  return idsInOrder(
    filter,
    reversed,
    sql`OFFSET greatest(0, ${total} - ${skip}::bigint - ${limit}::bigint)
      LIMIT greatest(0, least(${limit}::bigint, ${total} - ${skip}::bigint))`,
  )
}

function idsInOrder(filter: AlertFilter, sort: Sort, range: RawBuilder<unknown>) {
  const branches = inOneOrder(filter).map(
    (part) => sql`
      (SELECT ${sql.join(Object.keys(sort.columns).map((column) => sql.ref(column)))} FROM alerts
       WHERE ${matching(part)} AND ${inTimeOrder(part)} ORDER BY ${ordered(sort)})`,
  )
  return sql<string[]>`ARRAY(SELECT id FROM (${sql.join(branches, sql` UNION ALL `)}) AS part
    ORDER BY ${ordered(sort)} ${range})`
}

/**
 * The filter as several with one status and one severity each. Of each an index is in the order of
 * the list, and they are merged as they are read; of several at once all would have to be sorted.
 */
const inOneOrder = ({ status, severity, ...rest }: AlertFilter): AlertFilter[] =>
  (status ?? [undefined]).flatMap((one) =>
    (severity ?? [undefined]).map((other) => ({
      ...rest,
      ...(one && { status: [one] }),
      ...(other && { severity: [other] }),
    })),
  )

const BY_HOUR = ['severity', 'from', 'to'] as const

/** Newest first, and nothing asked that the hours do not know (migration 170). */
const isCountedByHour = ({ filter, sort }: Page): boolean =>
  sort.name === 'created_at' &&
  sort.order === 'desc' &&
  Object.entries(filter).every(
    ([name, value]) => value === undefined || BY_HOUR.some((known) => known === name),
  )

/** The same page, counted from the last hour that begins before it. */
async function overHours(
  db: Kysely<Tables>,
  { filter, skip }: Page,
): Promise<{ filter: AlertFilter; skip: number }> {
  const { severity, to } = filter
  const wanted = severity ? sql`severity = ANY(${severity}::text[])` : sql`true`
  const begun = to && sql`date_trunc('hour', ${to}::timestamptz, 'UTC')`
  // Of the hour in which the list begins only a part belongs to it.
  const first = begun
    ? sql`(SELECT count(*) FROM alerts WHERE ${matching(filter)} AND ${inTimeOrder(filter)}
        AND created_at >= ${begun})`
    : sql`0`
  const { rows } = await sql<{ until: Date; passed: string }>`
    WITH hours AS (
      SELECT hour, sum(created) AS amount FROM alert_activity
      WHERE ${wanted} AND ${begun ? sql`hour < ${begun}` : sql`true`} GROUP BY hour
    ), counted AS (
      SELECT hour, ${first} + sum(amount) OVER (ORDER BY hour DESC) - amount AS passed FROM hours
    )
    SELECT hour + interval '1 hour' AS until, passed FROM counted
    WHERE passed <= ${skip} ORDER BY hour LIMIT 1`.execute(db)
  const [last] = rows
  if (!last) return { filter, skip }
  return { filter: { ...filter, to: last.until }, skip: skip - Number(last.passed) }
}
