import { mapInTurns } from '@manara/kit/turns'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Frontier, grow } from '../proofs/merkle.ts'
import { detailsHash, entryHash } from './chain.ts'
import { isKept, keepSubtrees } from './subtrees.ts'

const BATCH = 500
const READ_AT_ONCE = 10_000

/**
 * Gives committed entries their number and their place in the chain. Whoever holds the head's row
 * seals; another process finds it locked and leaves the work to it. Answers true when more is left.
 */
export async function sealEntries(db: Kysely<Tables>): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const head = await tx
      .selectFrom('audit_head')
      .selectAll()
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
    let frontier = head.frontier ?? (await frontierOf(tx))
    const subtrees: Parameters<typeof keepSubtrees>[1] = []
    const seals = await mapInTurns(rows, (row) => {
      const prev_hash = entry_hash
      const details_hash = detailsHash(row)
      seq = String(BigInt(seq) + 1n)
      entry_hash = entryHash(row, details_hash, seq, prev_hash)
      frontier = grow(frontier, entry_hash, ({ size, hash }) => {
        if (isKept(size)) subtrees.push({ first: Number(seq) - size, size, hash })
      })
      return { id: row.id, seq, prev_hash, entry_hash, details_hash }
    })
    await sql`SELECT seal_audit_entries(${JSON.stringify(seals)}::jsonb)`.execute(tx)
    await keepSubtrees(tx, subtrees)
    await tx
      .updateTable('audit_head')
      .set({ seq, entry_hash, frontier: JSON.stringify(frontier) })
      .execute()
    return rows.length === BATCH
  })
}

/** Once, for a log from before there was a tree over it. */
async function frontierOf(tx: Transaction<Tables>): Promise<Frontier> {
  let frontier: Frontier = []
  for (let seq = '0'; ; ) {
    const rows = await tx
      .selectFrom('audit_log')
      .select(['seq', 'entry_hash'])
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(READ_AT_ONCE)
      .execute()
    for (const row of rows) frontier = grow(frontier, row.entry_hash ?? '')
    if (rows.length < READ_AT_ONCE) return frontier
    seq = rows.at(-1)?.seq ?? seq
  }
}
