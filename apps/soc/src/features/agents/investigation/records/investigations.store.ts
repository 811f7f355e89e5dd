import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type {
  Conclusion,
  InvestigationListQuery,
  InvestigationRequest,
  InvestigationSummary,
  Progress,
} from '@manara/soc-contract/investigation'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { hiddenIn, namesNoHiddenBut } from '../../../../core/access/reader.ts'
import { inTime } from '../../../../db/keyset.ts'
import { readPage } from '../../../../db/page.ts'
import { isRecordId } from '../../../../db/record-id.ts'
import { storableJson } from '../../../../db/storable.ts'
import type { Tables } from '../../../../db/tables.ts'
import { type InvestigationRow, toSummary } from './investigation-record.ts'

type Db = Kysely<Tables>

/** Kept beside what was asked: the cases it names that whoever asked may not read. */
type Unseen = { unseen?: string[] }

export const unseenBy = ({ request }: InvestigationRow): ReadonlySet<string> =>
  new Set((request as Unseen).unseen)

const isReadable = () => namesNoHiddenBut(sql`request->'unseen'`, 'investigations')

export async function investigationById(db: Db, id: string): Promise<InvestigationRow> {
  const row = isRecordId(id)
    ? await db
        .selectFrom('investigations')
        .selectAll()
        .where('id', '=', id)
        .where(isReadable())
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('investigation', id)
  return row
}

export async function listInvestigations(
  db: Db,
  query: InvestigationListQuery,
): Promise<ListOf<InvestigationSummary>> {
  const conditions = [isReadable(), ...conditionsOf(query)]
  const listed = db.selectFrom('investigations').where(sql.join<boolean>(conditions, sql` AND `))
  return readPage(query, inTime('created_at', query.order), listed.selectAll(), toSummary)
}

function* conditionsOf(query: InvestigationListQuery): Iterable<RawBuilder<boolean>> {
  if (query.status) yield sql`status = ${query.status}`
  if (query.verdict) yield sql`verdict = ${query.verdict}`
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (query.q !== undefined) {
    yield sql`strpos(lower(request->>'alert_context'), lower(${query.q})) > 0`
  }
}

type Owner = { owner: string; leaseMs: number }

export async function insertInvestigation(
  tx: Db,
  request: InvestigationRequest,
  requestedBy: string,
  { owner, leaseMs }: Owner,
): Promise<InvestigationRow> {
  const { alert_context, has_cps_assets, severity = null } = request
  return tx
    .insertInto('investigations')
    .values({
      id: randomUUIDv7(),
      status: 'running',
      request: JSON.stringify({ alert_context, has_cps_assets, severity, ...unseenIn(request) }),
      requested_by: requestedBy,
      attempts: 1,
      owner,
      lease_until: leaseEnd(leaseMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function unseenIn({ alert_context }: InvestigationRequest): Unseen {
  const unseen = hiddenIn(alert_context)
  return unseen.length > 0 ? { unseen } : {}
}

const leaseEnd = (leaseMs: number) => sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`

/** Those whose process is gone, now of this one. */
export async function claimAbandoned(
  db: Db,
  { owner, leaseMs }: Owner,
  underWay: string[],
): Promise<InvestigationRow[]> {
  const { rows } = await sql<InvestigationRow>`
    UPDATE investigations SET owner = ${owner}, attempts = attempts + 1, updated_at = now(),
      lease_until = ${leaseEnd(leaseMs)}
    WHERE id IN (
      SELECT id FROM investigations WHERE status = 'running' AND lease_until < now()
        AND id <> ALL(${underWay}::uuid[])
      ORDER BY created_at LIMIT 4 FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(db)
  return rows
}

const mine = (tx: Db, id: string, owner: string) =>
  tx
    .updateTable('investigations')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('status', '=', 'running')

/** False when it is no longer this process's: cancelled, or taken over. */
export async function renewLease(db: Db, id: string, { owner, leaseMs }: Owner): Promise<boolean> {
  const { numUpdatedRows } = await mine(db, id, owner)
    .set({ lease_until: leaseEnd(leaseMs) })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function setProgress(tx: Db, id: string, owner: string, progress: Progress) {
  return mine(tx, id, owner)
    .set({ progress: storableJson(progress), updated_at: sql`now()` })
    .returningAll()
    .executeTakeFirst()
}

export async function setEnded(
  tx: Db,
  id: string,
  owner: string,
  ended: { status: 'completed'; conclusion: Conclusion } | { status: 'failed'; error: string },
): Promise<InvestigationRow | undefined> {
  return mine(tx, id, owner)
    .set({
      status: ended.status,
      ...(ended.status === 'completed'
        ? { conclusion: storableJson(ended.conclusion), verdict: ended.conclusion.verdict }
        : { error: ended.error }),
      owner: null,
      lease_until: null,
      updated_at: sql`now()`,
      completed_at: sql`now()`,
    })
    .returningAll()
    .executeTakeFirst()
}

/** Undefined when it was not running any more. */
export async function setCancelled(tx: Db, id: string): Promise<InvestigationRow | undefined> {
  return tx
    .updateTable('investigations')
    .set({
      status: 'cancelled',
      owner: null,
      lease_until: null,
      updated_at: sql`now()`,
      completed_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst()
}

/** Whoever looks next takes them up. */
export async function releaseAll(db: Db, owner: string) {
  await db
    .updateTable('investigations')
    .set({ lease_until: sql`now()` })
    .where('owner', '=', owner)
    .where('status', '=', 'running')
    .execute()
}
