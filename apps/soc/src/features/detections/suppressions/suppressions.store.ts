import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type { LogRecord } from '@manara/log-query/event'
import { compilePredicate } from '@manara/log-query/predicate'
import type { ListOf } from '@manara/soc-contract/lists'
import type {
  Suppression,
  SuppressionCreate,
  SuppressionListQuery,
} from '@manara/soc-contract/suppressions'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { criteriaQuery } from '../domain/criteria.ts'

type Db = Kysely<Tables>
type Row = Selectable<Tables['detection_suppressions']>

export const toSuppression = (row: Row, now: number): Suppression => ({
  ...row,
  is_active: row.expires_at.getTime() > now,
  expires_at: row.expires_at.toISOString(),
  held_count: Number(row.held_count),
  last_held_at: row.last_held_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const HOUR = 3_600_000
export const expiry = (hours: number, now: number) => new Date(now + hours * HOUR)

export async function insertSuppression(
  tx: Db,
  body: SuppressionCreate & { rule_id: string; created_by: string },
  now: number,
): Promise<Suppression> {
  const row = await tx
    .insertInto('detection_suppressions')
    .values({
      ...body,
      id: randomUUIDv7(),
      criteria: JSON.stringify(body.criteria),
      expires_at: expiry(body.suppress_for_hours, now),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toSuppression(row, now)
}

export async function suppressionById(
  db: Db,
  ruleId: string,
  id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<Row> {
  const one = db
    .selectFrom('detection_suppressions')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('id', '=', id)
  const row = isRecordId(id) ? await (lock ? one.forUpdate() : one).executeTakeFirst() : undefined
  if (!row) throw notFound('suppression', id)
  return row
}

export async function listSuppressions(
  db: Db,
  ruleId: string,
  query: SuppressionListQuery,
  now: number,
): Promise<ListOf<Suppression>> {
  const sort = inTime('created_at', query.order)
  const listed = db
    .selectFrom('detection_suppressions')
    .where('rule_id', '=', ruleId)
    .where(isActive(query.active, now))
  return readPage(query, sort, listed.selectAll(), (row) => toSuppression(row, now))
}

function isActive(asked: 'true' | 'false' | undefined, now: number): RawBuilder<boolean> {
  if (asked === undefined) return sql`true`
  return asked === 'true' ? sql`expires_at > ${new Date(now)}` : sql`expires_at <= ${new Date(now)}`
}

export async function activeSuppressions(db: Db, ruleId: string, now: number): Promise<Row[]> {
  return db
    .selectFrom('detection_suppressions')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Says which of them, if any, holds an event back: the oldest that does. */
export function findSuppressionOf<S extends Pick<Row, 'criteria'>>(suppressions: S[]) {
  const holds = suppressions.map((suppression) => ({
    suppression,
    matches: compilePredicate(criteriaQuery(suppression.criteria)),
  }))
  return (log: LogRecord): S | undefined => holds.find(({ matches }) => matches(log))?.suppression
}

/** For who would raise an alert of this rule from one event by hand. */
export async function findSuppression(
  db: Db,
  ruleId: string,
  log: LogRecord,
  now: number,
): Promise<{ id: string; name: string } | undefined> {
  if (!isRecordId(ruleId)) return undefined
  return findSuppressionOf(await activeSuppressions(db, ruleId, now))(log)
}

export async function countHeld(tx: Db, id: string, count: number, now: number) {
  if (count === 0) return
  await tx
    .updateTable('detection_suppressions')
    .set({ held_count: sql`held_count + ${count}`, last_held_at: new Date(now) })
    .where('id', '=', id)
    .execute()
}
