import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

const BATCH = 1_000

export type Numbered = { count: number; isMoreLeft: boolean }

/** Gives committed events the numbers listeners count by; one process at a time holds the head. */
export async function numberEvents(db: Kysely<Tables>): Promise<Numbered> {
  return db.transaction().execute(async (tx) => {
    const head = await tx
      .selectFrom('outbox_head')
      .select('seq')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!head) return { count: 0, isMoreLeft: false }
    const { numAffectedRows = 0n } = await sql`
      UPDATE outbox SET seq = numbered.seq
      FROM (
        SELECT id, ${head.seq}::bigint + row_number() OVER (ORDER BY id) AS seq
        FROM (SELECT id FROM outbox WHERE seq IS NULL ORDER BY id LIMIT ${BATCH}) AS waiting
      ) AS numbered
      WHERE outbox.id = numbered.id`.execute(tx)
    const count = Number(numAffectedRows)
    if (count > 0) {
      const seq = String(BigInt(head.seq) + numAffectedRows)
      await tx.updateTable('outbox_head').set({ seq }).execute()
    }
    return { count, isMoreLeft: count === BATCH }
  })
}
