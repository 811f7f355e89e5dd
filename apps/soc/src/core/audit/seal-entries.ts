import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { entryHash } from './chain.ts'

const BATCH = 500

/**
 * Gives committed entries their number and their place in the chain. Whoever holds the head's row
 * seals; another process finds it locked and leaves the work to it. Answers true when more is left.
 */
export async function sealEntries(db: Kysely<Tables>): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const head = await tx
      .selectFrom('audit_head')
      .select(['seq', 'entry_hash'])
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!head) return false
    const rows = await tx
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', 'is', null)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return false

    let { seq, entry_hash } = head
    const seals = rows.map((row) => {
      const prev_hash = entry_hash
      seq = String(BigInt(seq) + 1n)
      entry_hash = entryHash(row, seq, prev_hash)
      return { id: row.id, seq, prev_hash, entry_hash }
    })
    await sql`
      UPDATE audit_log SET seq = seal.seq, prev_hash = seal.prev_hash, entry_hash = seal.entry_hash
      FROM jsonb_to_recordset(${JSON.stringify(seals)}::jsonb)
        AS seal(id bigint, seq bigint, prev_hash text, entry_hash text)
      WHERE audit_log.id = seal.id`.execute(tx)
    await tx.updateTable('audit_head').set({ seq, entry_hash }).execute()
    return rows.length === BATCH
  })
}
