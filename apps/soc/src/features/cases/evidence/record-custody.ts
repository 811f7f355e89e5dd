import { notFound } from '@manara/kit/errors'
import type { Custody, LedgerEntry } from '@manara/soc-contract/evidence'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import { familyOf, lockCase } from '../cases/cases.store.ts'
import { custodyDetails } from '../domain/registration.ts'
import { recordPart } from '../parts/record-part.ts'
import { appendLedger } from './append-ledger.ts'

/** In the chain the piece was registered in, also after its case was merged into this one. */
export async function recordCustody(
  change: ChangeContext,
  { case_id, evidence_id }: { case_id: string; evidence_id: string },
  body: Custody,
  now: Date,
): Promise<LedgerEntry> {
  const { id: caseId } = await lockCase(change.tx, case_id)
  const evidence = await evidenceIn(change, caseId, evidence_id)
  const [link] = await appendLedger(change.tx, evidence.case_id, [
    {
      evidence_id: evidence.id,
      action: body.action,
      actor: change.principal.username,
      timestamp: now.toISOString(),
      details: custodyDetails(body),
    },
  ])
  if (body.location) {
    await change.tx
      .updateTable('evidence')
      .set({ location: body.location })
      .where('id', '=', evidence.id)
      .execute()
  }
  await recordPart(change, caseId, 'evidence.custody', {
    said: `evidence ${evidence.id}: ${body.action}`,
    after: link as LedgerEntry,
  })
  return link as LedgerEntry
}

async function evidenceIn({ tx }: ChangeContext, caseId: string, evidenceId: string) {
  const row = isRecordId(evidenceId)
    ? await tx
        .selectFrom('evidence')
        .select(['id', 'case_id'])
        .where('id', '=', evidenceId)
        .where('case_id', '=', sql<string>`ANY(${await familyOf(tx, caseId)}::uuid[])`)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('evidence', evidenceId)
  return row
}
