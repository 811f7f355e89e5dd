import type { AuditVerdict } from '@manara/soc-contract/audit'
import type { Kysely } from 'kysely'
import { type AuditRow, entryHash, FIRST_HASH } from '../../core/audit/chain.ts'
import type { Tables } from '../../db/tables.ts'

const BATCH = 2_000

type Broken = NonNullable<AuditVerdict['broken_at']>

/**
 * Recomputes the chain from its first entry. The head is read first: what is sealed meanwhile is not
 * part of this answer, and entries cut off the end are missed against it.
 */
export async function verifyAudit(db: Kysely<Tables>): Promise<AuditVerdict> {
  const head = await db
    .selectFrom('audit_head')
    .select(['seq', 'entry_hash'])
    .executeTakeFirstOrThrow()
  const { unsealed } = await db
    .selectFrom('audit_log')
    .select((count) => count.fn.countAll<string>().as('unsealed'))
    .where('seq', 'is', null)
    .executeTakeFirstOrThrow()
  const broken = await firstBroken(db, Number(head.seq), head.entry_hash)
  return {
    valid: broken === undefined,
    sealed: Number(head.seq),
    unsealed: Number(unsealed),
    head_hash: head.entry_hash,
    broken_at: broken ?? null,
  }
}

async function firstBroken(
  db: Kysely<Tables>,
  headSeq: number,
  headHash: string,
): Promise<Broken | undefined> {
  let seq = 0
  let hash = FIRST_HASH
  while (seq < headSeq) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>', String(seq))
      .where('seq', '<=', String(headSeq))
      .orderBy('seq')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return { seq: seq + 1, id: null, reason: 'the entry is missing' }
    for (const row of rows) {
      const broken = checkEntry(row, seq + 1, hash)
      if (broken) return broken
      seq += 1
      hash = row.entry_hash ?? ''
    }
  }
  if (hash === headHash) return undefined
  return { seq, id: null, reason: 'the chain does not end with the hash that was kept for it' }
}

function checkEntry(row: AuditRow, seq: number, prevHash: string): Broken | undefined {
  if (Number(row.seq) !== seq) return { seq, id: null, reason: 'the entry is missing' }
  if (row.prev_hash !== prevHash) {
    return { seq, id: row.id, reason: 'it does not follow the entry before it' }
  }
  if (row.entry_hash !== entryHash(row, String(seq), prevHash)) {
    return { seq, id: row.id, reason: 'its content is not what was sealed' }
  }
  return undefined
}
