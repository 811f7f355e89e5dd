import { notFound } from '@manara/kit/errors'
import type { Writer, WriterListQuery } from '@manara/soc-contract/discovery'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { countedPage } from '../../db/counted-page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>

const writers = (db: Db) =>
  db
    .selectFrom('discovery_writers as writer')
    .innerJoin('cps_devices as device', 'device.id', 'writer.device_id')
    .select([
      'writer.id',
      'writer.device_id',
      'device.name as device_name',
      'writer.address',
      'writer.protocol',
      'writer.writes',
      'writer.is_usual',
      'writer.accepted_by',
      'writer.first_at',
      'writer.last_at',
      'writer.last_command',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof writers>['execute']>>[number]

export async function writerById(db: Db, id: string): Promise<Writer> {
  const one = writers(db).where('writer.id', '=', id)
  const row = isRecordId(id) ? await one.executeTakeFirst() : undefined
  if (!row) throw notFound('writer', id)
  return toWriter(row)
}

export function listWriters(db: Db, query: WriterListQuery) {
  const { device_id, is_usual, order } = query
  const chosen = sql.join<boolean>(
    [
      sql`true`,
      ...(is_usual === undefined ? [] : [sql`writer.is_usual = ${is_usual}`]),
      ...(device_id === undefined
        ? []
        : [isRecordId(device_id) ? sql`writer.device_id = ${device_id}` : sql`false`]),
    ],
    sql` AND `,
  )
  return countedPage(query, {
    async rows(offset, limit) {
      const rows = await writers(db)
        .where(chosen)
        .orderBy('writer.last_at', order)
        .orderBy('writer.id', order)
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toWriter)
    },
    async total() {
      const { rows } = await sql<{ total: string }>`
        SELECT count(*) AS total FROM discovery_writers AS writer WHERE ${chosen}`.execute(db)
      return Number(rows[0]?.total)
    },
  })
}

/** Somebody says that it may, or that it may not after all. */
export async function judgeWriter(change: ChangeContext, id: string, isUsual: boolean) {
  const before = await writerById(change.tx, id)
  await change.tx
    .updateTable('discovery_writers')
    .set({ is_usual: isUsual, accepted_by: isUsual ? change.principal.username : null })
    .where('id', '=', id)
    .execute()
  const after = await writerById(change.tx, id)
  const target = `writer:${after.id}`
  await change.audit({ action: 'discovery_writer.judge', target, before, after })
  await change.publish('device.writer_judged', after)
  return after
}

const toWriter = (row: Row): Writer => ({
  ...row,
  writes: Number(row.writes),
  first_at: row.first_at.toISOString(),
  last_at: row.last_at.toISOString(),
})
