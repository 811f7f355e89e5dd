import { notFound } from '@manara/kit/errors'
import type { Approval, ApprovalListQuery, ApprovalStatus } from '@manara/soc-contract/approvals'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { areReadable, isReadable } from '../../core/access/reader.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import type { ApprovalRow } from './approval-record.ts'
import { toApproval } from './approval-record.ts'

type Db = Kysely<Tables>

/** A request that nobody decided has timed out at its hour, also before anyone wrote that down. */
const STATUS = sql<ApprovalStatus>`
  CASE WHEN status = 'pending' AND expires_at <= now() THEN 'timeout' ELSE status END`

/** Who was removed, disabled or given another role is not left; ids, since names come again. */
export const APPROVERS_LEFT = sql<string[] | null>`
  CASE WHEN approvals.approver_ids IS NOT NULL THEN ARRAY(
    SELECT users.username FROM users WHERE users.id = ANY (approvals.approver_ids)
      AND NOT users.disabled AND users.role IN ('manager', 'admin') ORDER BY 1) END`.as(
  'approvers_left',
)

/** Nobody else could: see `mayDecide`, which has the last word. */
const REQUESTER_DECIDES = sql<boolean>`(approvals.requested_by_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM users WHERE users.id <> approvals.requested_by_id
    AND NOT users.disabled AND users.role IN ('manager', 'admin')))`.as('requester_decides')

/** It is about a case, or names some. */
const readable = (db: Db) =>
  db
    .selectFrom('approvals')
    .selectAll()
    .select([STATUS.as('status'), APPROVERS_LEFT, REQUESTER_DECIDES])
    .where(isReadable('case_id'))
    .where(areReadable('cases_named'))

export async function approvalById(db: Db, id: string): Promise<Approval> {
  const row = isRecordId(id)
    ? await readable(db).where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('approval', id)
  return toApproval(row)
}

export const approvalRows = (db: Db, ids: string[]): Promise<ApprovalRow[]> =>
  readable(db).where('id', 'in', ids).execute()

/** To decide or use it: whoever else wants to waits, and then sees what became of it. */
export async function lockApproval(
  tx: Db,
  id: string,
): Promise<ApprovalRow & { is_over: boolean }> {
  const row = isRecordId(id)
    ? await readable(tx)
        .select(sql<boolean>`expires_at <= now()`.as('is_over'))
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('approval', id)
  return row
}

export type Poster = { id: string; name: string }

/**
 * The users who posted the alerts that made the service ask, by what is to be approved: what began
 * the execution it is for, and what an agent cites for something that acts. None of alerts of a rule,
 * of logs or of the service's own, nor where somebody else has proposed it: two have looked then.
 */
export async function postersOf(tx: Db, ids: string[]): Promise<Map<string, Poster[]>> {
  const { rows } = await sql<Poster & { approval_id: string }>`
    WITH asked AS (
      SELECT approvals.id, begun.alert_id, begun.trigger,
        ARRAY[approvals.id, begun.approval_id] AS approved
      FROM approvals LEFT JOIN executions AS begun ON begun.id = execution_id
      WHERE approvals.id = ANY(${ids})
    ), causes AS (
      SELECT id, alert_id::text FROM asked WHERE trigger = 'alert.created'
      UNION SELECT asked.id, jsonb_array_elements_text(cites->'alert_ids') FROM asked
        JOIN proposals ON proposals.approval_id = ANY(approved)
        WHERE agent_id IS NOT NULL AND effect = 'acts'
    )
    SELECT DISTINCT causes.id AS approval_id, posted.actor_id AS id, posted.actor AS name
    FROM causes JOIN audit_log AS posted ON posted.target = 'alert:' || causes.alert_id
      AND posted.action = 'alert.create' AND posted.outcome = 'done'
    WHERE posted.actor_id IS NOT NULL ORDER BY name`.execute(tx)
  return Map.groupBy(rows, ({ approval_id }) => approval_id)
}

/** Not expired; whoever else asks for the same meanwhile waits and then finds it. */
export async function newestApproval(
  tx: Db,
  bindingHash: string,
  requester: Principal,
): Promise<ApprovalRow | undefined> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${bindingHash}, 0))`.execute(tx)
  return (
    readable(tx)
      .where('binding_hash', '=', bindingHash)
      .where(isRequestOf(requester))
      .where('expires_at', '>', sql<Date>`now()`)
      // An execution that waits takes its own: whoever came with it would be told that it is used.
      .where(sql<boolean>`(execution_id IS NULL OR status NOT IN ('pending', 'approved'))`)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )
}

/** By id: who has the requester's name today may be somebody else. Agents have only names. */
function isRequestOf({ id, username }: Principal): RawBuilder<boolean> {
  if (id !== undefined) return sql`requested_by_id = ${id}`
  return sql`(requested_by_id IS NULL AND requested_by = ${username})`
}

export async function setApproval(
  tx: Db,
  id: string,
  fields: {
    status: ApprovalStatus
    decided_by?: string
    reason?: string | null
    execution_id?: string
  },
): Promise<ApprovalRow> {
  const { status, decided_by } = fields
  return tx
    .updateTable('approvals')
    .set({
      ...fields,
      ...(decided_by === undefined ? {} : { decided_at: sql`now()` }),
      ...(status === 'consumed' ? { consumed_at: sql`now()` } : {}),
    })
    .where('id', '=', id)
    .returningAll()
    .returning(APPROVERS_LEFT)
    .executeTakeFirstOrThrow()
}

export async function listApprovals(db: Db, query: ApprovalListQuery): Promise<ListOf<Approval>> {
  const listed = readable(db).where(sql.join<boolean>([...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime('created_at', query.order), listed, toApproval)
}

function* conditionsOf(query: ApprovalListQuery): Iterable<RawBuilder<boolean>> {
  yield query.status === 'all' ? sql`true` : sql`(${STATUS}) = ${query.status}`
  if (query.playbook_id !== undefined) yield sql`playbook_id = ${query.playbook_id}`
  if (query.case_id !== undefined) {
    yield isRecordId(query.case_id) ? sql`case_id = ${query.case_id}` : sql`false`
  }
}
