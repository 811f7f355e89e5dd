import { conflict, notFound } from '@manara/kit/errors'
import { type Kysely, sql } from 'kysely'
import { isReadable, nameOf } from '../../../core/access/reader.ts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { CASE_COLUMNS, type CaseRow } from './case-record.ts'

type Db = Kysely<Tables>

/** Deleted cases are unknown here; only their ledger stays readable. */
export async function caseById(db: Db, id: string): Promise<CaseRow> {
  const row = isRecordId(id)
    ? await db
        .selectFrom('cases')
        .select(CASE_COLUMNS)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where(isReadable('id'))
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('case', id)
  return row
}

/**
 * To change cases: nobody else does until the transaction ends. Several are locked in the order of
 * their ids, and those merged into them only afterwards, so that changes wait instead of
 * deadlocking. What is merged into another case is changed there.
 */
export async function lockCases(tx: Db, asked: string[]): Promise<CaseRow[]> {
  const ids = asked.map((id) => id.toLowerCase())
  const rows = await tx
    .selectFrom('cases')
    .select(CASE_COLUMNS)
    .where('id', '=', sql<string>`ANY(${ids.filter(isRecordId)}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where(isReadable('id'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = found.get(id)
    if (!row) throw notFound('case', id)
    if (row.merged_into) throw conflict(`case ${id} is merged into ${nameOf(row.merged_into)}`)
    return row
  })
}

export async function lockCase(tx: Db, id: string): Promise<CaseRow> {
  const [row] = await lockCases(tx, [id])
  return row as CaseRow
}

/** For a case's own chain, which goes on when the case is merged or deleted. */
export async function lockChain(tx: Db, id: string): Promise<string> {
  const row = isRecordId(id)
    ? await tx
        .selectFrom('cases')
        .select('id')
        .where('id', '=', id)
        .where(isReadable('id'))
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('case', id)
  return row.id
}

/** The case and all that is merged into it, and into those. */
export async function familyOf(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE family AS (
      SELECT id, 0 AS depth FROM cases WHERE id = ${id} AND ${isReadable('id')}
      UNION ALL
      SELECT cases.id, depth + 1 FROM cases JOIN family ON cases.merged_into = family.id
    )
    SELECT id FROM family ORDER BY depth, id`.execute(db)
  return rows.map((row) => row.id)
}

/** Into the timeline, as the caller's doing; the case counts as changed. */
export async function note(change: ChangeContext, caseId: string, ...actions: string[]) {
  await sql`
    WITH touched AS (UPDATE cases SET updated_at = now() WHERE id = ${caseId})
    INSERT INTO case_timeline (case_id, agent, action)
    SELECT ${caseId}, ${change.principal.username}, action
    FROM unnest(${actions}::text[]) WITH ORDINALITY AS noted(action, place) ORDER BY place
  `.execute(change.tx)
}
