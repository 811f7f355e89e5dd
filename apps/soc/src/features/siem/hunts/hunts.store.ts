import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type {
  Hunt,
  HuntCreate,
  HuntFields,
  HuntListQuery,
  HuntRun,
  HuntRunListQuery,
} from '@manara/soc-contract/hunts'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import { sharedWith } from '../../../core/identity/sharing.ts'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { toHunt, toHuntRun } from './hunt-record.ts'

type Db = Kysely<Tables>

/** 404 also for a hunt that is not shared with the caller: its existence is not told. */
export async function huntById(
  db: Db,
  id: string,
  principal: Principal,
  { lock }: { lock: boolean } = { lock: false },
): Promise<Hunt> {
  const one = db.selectFrom('hunts').selectAll().where('id', '=', id).where(sharedWith(principal))
  const row = isRecordId(id)
    ? await (lock ? one.forNoKeyUpdate() : one).executeTakeFirst()
    : undefined
  if (!row) throw notFound('hunt', id)
  return toHunt(row)
}

export async function insertHunt(tx: Db, hunt: HuntCreate, createdBy: string): Promise<Hunt> {
  const row = await tx
    .insertInto('hunts')
    .values({ ...hunt, id: randomUUIDv7(), created_by: createdBy })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toHunt(row)
}

export async function setHunt(tx: Db, id: string, fields: Partial<HuntFields>): Promise<Hunt> {
  const row = await tx
    .updateTable('hunts')
    .set({ ...fields, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toHunt(row)
}

export async function listHunts(
  db: Db,
  query: HuntListQuery,
  principal: Principal,
): Promise<ListOf<Hunt>> {
  const sort = inTime('created_at', query.order)
  const listed = db
    .selectFrom('hunts')
    .where(sql.join<boolean>([sharedWith(principal), ...conditionsOf(query)], sql` AND `))
  return readPage(query, sort, listed.selectAll(), toHunt)
}

function* conditionsOf(query: HuntListQuery): Iterable<RawBuilder<boolean>> {
  if (query.tag !== undefined) yield sql`tags @> ARRAY[${query.tag}]`
  if (query.created_by !== undefined) yield sql`created_by = ${query.created_by}`
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (query.q !== undefined) {
    yield sql`strpos(lower(concat_ws(' ', title, description, query)), lower(${query.q})) > 0`
  }
}

export type NewRun = Omit<HuntRun, 'id' | 'from' | 'to' | 'started_at'> & {
  from: Date | undefined
  to: Date | undefined
  startedAt: Date
}

/** The run, and with it the hunt's latest count. */
export async function insertRun(tx: Db, run: NewRun): Promise<HuntRun> {
  const { from, to, startedAt, partial, ...fields } = run
  const row = await tx
    .insertInto('hunt_runs')
    .values({
      ...fields,
      id: randomUUIDv7(),
      partial: partial ? JSON.stringify(partial) : null,
      searched_from: from ?? null,
      searched_to: to ?? null,
      started_at: startedAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('hunts')
    .set({ last_run_at: startedAt, last_match_count: run.match_count })
    .where('id', '=', run.hunt_id)
    .execute()
  return toHuntRun(row)
}

export async function listRuns(
  db: Db,
  huntId: string,
  query: HuntRunListQuery,
): Promise<ListOf<HuntRun>> {
  const sort = inTime('started_at', query.order)
  const listed = db.selectFrom('hunt_runs').where('hunt_id', '=', huntId)
  return readPage(query, sort, listed.selectAll(), toHuntRun)
}
