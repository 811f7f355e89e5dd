import { randomUUIDv7 } from 'node:crypto'
import { conflict, notFound } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Reparse, ReparseCreate, ReparseListQuery } from '@manara/soc-contract/reparse'
import { type Kysely, type Selectable, sql } from 'kysely'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { ReparseStep } from '../../../db/tables/log-sources.ts'
import type { Tables } from '../../../db/tables.ts'

type Db = Kysely<Tables>
export type ReparseRow = Selectable<Tables['log_reparses']>

/** A process that says nothing for so long has died: another goes on. */
const LEASE_S = 30

export function toReparse(row: ReparseRow): Reparse {
  const [read, changed, failed, tooNew] = [row.read, row.changed, row.failed, row.too_new].map(
    Number,
  ) as [number, number, number, number]
  const total = row.total === null ? null : Number(row.total)
  const isOver = row.status === 'done'
  return {
    ...{ id: row.id, source: row.source, dry_run: row.dry_run, status: row.status },
    from: row.from_at?.toISOString() ?? null,
    to: row.to_at?.toISOString() ?? null,
    ...{ total, read, changed, unchanged: read - changed - failed - tooNew, failed },
    too_new: tooNew,
    progress: isOver ? 1 : total ? Math.min(1, read / total) : 0,
    ...{ examples: row.examples, error: row.error, created_by: row.created_by },
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

export async function reparseById(db: Db, id: string, { lock = false } = {}): Promise<ReparseRow> {
  const one = db.selectFrom('log_reparses').selectAll().where('id', '=', id)
  const row = isRecordId(id) ? await (lock ? one.forUpdate() : one).executeTakeFirst() : undefined
  if (!row) throw notFound('reparse', id)
  return row
}

export function listReparses(db: Db, query: ReparseListQuery): Promise<ListOf<Reparse>> {
  const all = db.selectFrom('log_reparses').selectAll()
  const listed = query.source === undefined ? all : all.where('source', '=', query.source)
  return readPage(query, inTime('created_at', 'desc'), listed, toReparse)
}

export async function insertReparse(
  tx: Db,
  { source, from, to, dry_run }: ReparseCreate,
  username: string,
): Promise<ReparseRow> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('log_reparses'))`.execute(tx)
  const other = await tx
    .selectFrom('log_reparses')
    .select(['id', 'status'])
    .where('source', '=', source)
    .where('is_settled', '=', false)
    .executeTakeFirst()
  if (other) {
    throw conflict(
      `events of this source are being read again already (${other.id}): wait for it or cancel it`,
    )
  }
  return tx
    .insertInto('log_reparses')
    .values({
      ...{ id: randomUUIDv7(), source, dry_run, created_by: username },
      ...{ from_at: from ?? null, to_at: to ?? null },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What has begun goes on before others begin; one at a time over all processes. */
export async function claimReparse(db: Db, process: string): Promise<ReparseRow | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('log_reparses'))`.execute(tx)
    const open = await tx
      .selectFrom('log_reparses')
      .selectAll()
      .select(
        sql<boolean>`coalesce(claimed_until > now(), false) AND claimed_by <> ${process}::uuid`.as(
          'is_taken',
        ),
      )
      .where('is_settled', '=', false)
      .orderBy(sql`started_at IS NULL`)
      .orderBy('created_at')
      .execute()
    const [next] = open
    if (!next || open.some(({ is_taken }) => is_taken)) return undefined
    return tx
      .updateTable('log_reparses')
      .set({
        ...{ claimed_by: process, claimed_until: lease() },
        status: sql`CASE status WHEN 'queued' THEN 'running' ELSE status END`,
        started_at: sql`coalesce(started_at, now())`,
      })
      .where('id', '=', next.id)
      .returningAll()
      .executeTakeFirst()
  })
}

const lease = () => sql<Date>`now() + ${LEASE_S} * interval '1 second'`

/** False when another process has taken it over. */
export async function keepClaim(db: Db, { id, claimed_by }: ReparseRow): Promise<boolean> {
  const kept = await db
    .updateTable('log_reparses')
    .set({ claimed_until: lease() })
    .where('id', '=', id)
    .where('claimed_by', '=', claimed_by)
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

/** Nothing when it was cancelled, or another process has taken it over. */
const update = (db: Db, { id, claimed_by }: ReparseRow) =>
  db
    .updateTable('log_reparses')
    .set({ claimed_until: lease() })
    .where('id', '=', id)
    .where('claimed_by', '=', claimed_by)
    .where('status', '=', 'running')
    .returningAll()

export const noteTotal = (db: Db, task: ReparseRow, total: number) =>
  update(db, task).set({ total }).executeTakeFirst()

/** Before the events are written: a kill in between neither forgets nor counts them twice. */
export const notePending = (db: Db, task: ReparseRow, step: ReparseStep) =>
  update(db, task)
    .set({ pending: JSON.stringify(step) })
    .executeTakeFirst()

export const noteStep = (db: Db, task: ReparseRow, step: ReparseStep, tooNew: number) =>
  update(db, task)
    .set({
      read: sql`read + ${step.read}`,
      changed: sql`changed + ${step.changed - tooNew}`,
      failed: sql`failed + ${step.failed}`,
      too_new: sql`too_new + ${tooNew}`,
      examples: sql`examples || ${JSON.stringify(step.examples)}::jsonb`,
      ...{ cursor_at: step.cursor.at, cursor_id: step.cursor.id, pending: null },
    })
    .executeTakeFirst()

/** Nothing when another process has taken it over. */
export async function settleReparse(
  tx: Db,
  { id, claimed_by }: ReparseRow,
  status: 'done' | 'failed' | 'cancelled',
  error?: string,
): Promise<ReparseRow | undefined> {
  return tx
    .updateTable('log_reparses')
    .set({
      status,
      is_settled: true,
      claimed_by: null,
      finished_at: sql`coalesce(finished_at, now())`,
      ...(error === undefined ? {} : { error }),
    })
    .where('id', '=', id)
    .where('claimed_by', '=', claimed_by)
    .returningAll()
    .executeTakeFirst()
}

/** Whoever works on it sees that with the next step. */
export async function cancelReparse(tx: Db, id: string): Promise<ReparseRow> {
  const row = await reparseById(tx, id, { lock: true })
  if (row.status !== 'queued' && row.status !== 'running') {
    throw conflict(`it is over already: ${row.status}`)
  }
  return tx
    .updateTable('log_reparses')
    .set({
      ...{ status: 'cancelled', finished_at: new Date() },
      is_settled: row.status === 'queued',
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
