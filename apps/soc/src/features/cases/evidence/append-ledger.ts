import { randomBytes } from 'node:crypto'
import type { LedgerEntry } from '@manara/soc-contract/evidence'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { sealEntry, type UnsealedEntry } from '../domain/ledger.ts'

/** Locks the chain's case: whoever appends at the same time waits and hangs on to what is there. */
export async function appendLedger(
  tx: Kysely<Tables>,
  caseId: string,
  entries: Omit<UnsealedEntry, 'salt'>[],
): Promise<LedgerEntry[]> {
  const { ledger_length, ledger_head } = await tx
    .selectFrom('cases')
    .select(['ledger_length', 'ledger_head'])
    .where('id', '=', caseId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  let end = { length: ledger_length, head: ledger_head }
  const sealed = entries.map((entry) => {
    const link = sealEntry(end, { ...entry, salt: randomBytes(16).toString('hex') })
    end = { length: link.seq, head: link.entry_hash }
    return link
  })
  await tx
    .insertInto('evidence_ledger')
    .values(
      sealed.map((link) => ({
        ...link,
        case_id: caseId,
        details: JSON.stringify(link.details),
      })),
    )
    .execute()
  await tx
    .updateTable('cases')
    .set({ ledger_length: end.length, ledger_head: end.head })
    .where('id', '=', caseId)
    .execute()
  return sealed
}
