import { notFound } from '@manara/kit/errors'
import type { LedgerChain } from '@manara/soc-contract/evidence'
import { type Kysely, sql, type Transaction } from 'kysely'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { toEvidence } from '../cases/case-record.ts'
import { familyOf } from '../cases/cases.store.ts'
import { partsOf } from '../parts/read-parts.ts'
import { ledgerOf } from './read-evidence.ts'

/** The chains of a case and of those merged into it, as of one moment; also of deleted cases. */
export async function readLedger(db: Kysely<Tables>, caseId: string): Promise<LedgerChain[]> {
  return atOneMoment(db, (tx) => ledgerWithin(tx, caseId))
}

/** Whoever may read it: the database has it. */
export const isInDatabase = async (db: Kysely<Tables>, caseId: string): Promise<boolean> => {
  const row = await db.selectFrom('cases').select('id').where('id', '=', caseId).executeTakeFirst()
  return row !== undefined
}

/** One snapshot: an entry appended between two reads would look like a broken chain. */
export function atOneMoment<T>(
  db: Kysely<Tables>,
  read: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(read)
}

/** As `readLedger`, within a snapshot that the caller has. */
export async function ledgerWithin(
  tx: Transaction<Tables>,
  caseId: string,
): Promise<LedgerChain[]> {
  const family = isRecordId(caseId) ? await familyOf(tx, caseId) : []
  if (family.length === 0) throw notFound('case', caseId)
  const cases = await tx
    .selectFrom('cases')
    .select(['id', 'title', 'deleted_at', 'ledger_length', 'ledger_head'])
    .where('id', '=', sql<string>`ANY(${family}::uuid[])`)
    .execute()
  const byId = new Map(cases.map((row) => [row.id, row]))
  const evidence = await partsOf(tx, 'evidence', family)
  const entries = await ledgerOf(tx, family)
  return family.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const links = entries.filter((link) => link.case_id === id).map(({ entry }) => entry)
    const byEvidence = Map.groupBy(links, (entry) => entry.evidence_id)
    return {
      case_id: id,
      title: row.title,
      deleted_at: row.deleted_at?.toISOString() ?? null,
      length: row.ledger_length,
      head: row.ledger_head,
      evidence: evidence
        .filter((piece) => piece.case_id === id)
        .map((piece) => toEvidence(piece, byEvidence.get(piece.id))),
      entries: links,
    }
  })
}
