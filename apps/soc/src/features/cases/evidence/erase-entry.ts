import { conflict, notFound } from '@manara/kit/errors'
import type { LedgerEntry } from '@manara/soc-contract/evidence'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { lockChain } from '../cases/cases.store.ts'
import { recordPart } from '../parts/record-part.ts'
import { appendLedger } from './append-ledger.ts'

/**
 * Takes personal data out of an entry of the case's own chain, and out of the audit log's copies,
 * also after the case was deleted: its ledger is still shown. The chain still holds, and its next
 * entry says that, by whom and why.
 */
export async function eraseEntry(
  change: ChangeContext,
  caseId: string,
  seq: string,
  { reason, now }: { reason: string; now: Date },
): Promise<LedgerEntry> {
  const id = await lockChain(change.tx, caseId)
  const entry = /^[1-9]\d{0,8}$/.test(seq)
    ? await change.tx
        .selectFrom('evidence_ledger')
        .selectAll()
        .where('case_id', '=', id)
        .where('seq', '=', Number(seq))
        .executeTakeFirst()
    : undefined
  if (!entry) throw notFound('ledger entry', seq)
  if (entry.erased_at) throw conflict(`ledger entry ${seq} is erased already`)
  if (entry.details_hash === null || entry.action === 'erased') {
    throw conflict(`ledger entry ${seq} holds its details in the chain itself: they cannot go`)
  }
  await sql`SELECT erase_ledger_details(${id}::uuid, ${entry.seq})`.execute(change.tx)
  await eraseCopies(change, id, entry)
  const [link] = await appendLedger(change.tx, id, [
    {
      evidence_id: entry.evidence_id,
      action: 'erased',
      actor: change.principal.username,
      timestamp: now.toISOString(),
      details: { seq: entry.seq, reason },
    },
  ])
  await recordPart(change, id, 'evidence.erase', {
    said: `details of ledger entry ${entry.seq} erased`,
    after: link as LedgerEntry,
  })
  return link as LedgerEntry
}

/**
 * The audit log has what was registered or recorded, under the case that it was done through: maybe
 * one that this was merged into then. An entry of a moment ago may not be sealed.
 */
async function eraseCopies(
  change: ChangeContext,
  caseId: string,
  { evidence_id, seq }: { evidence_id: string; seq: number },
) {
  const copies = await change.tx
    .selectFrom('audit_log')
    .select(['id', 'details_hash'])
    .where('target', 'in', sql<string>`(SELECT 'case:' || cases_holding(${caseId}::uuid))`)
    .where('action', 'in', ['case.evidence.register', 'case.evidence.custody'])
    .where('erased_at', 'is', null)
    .where(
      sql<boolean>`((after->>'id' = ${evidence_id}
          AND after->'custody_entries' @> ${JSON.stringify([{ seq }])}::jsonb)
        OR (after->>'evidence_id' = ${evidence_id} AND after->>'seq' = ${String(seq)}))`,
    )
    .execute()
  for (const { id, details_hash } of copies) {
    if (details_hash === null) {
      throw conflict('the audit log has not sealed this entry yet: try again in a few seconds')
    }
    await sql`SELECT erase_audit_details(${id}::bigint)`.execute(change.tx)
    await change.audit({
      action: 'audit.erase',
      target: `audit:${id}`,
      after: { reason: `with ledger entry ${seq} of case ${caseId}` },
    })
  }
}
