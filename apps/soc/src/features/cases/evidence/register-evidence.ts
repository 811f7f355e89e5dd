import { randomUUIDv7 } from 'node:crypto'
import type { Evidence, EvidenceCreate } from '@manara/soc-contract/evidence'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { toEvidence } from '../cases/case-record.ts'
import { lockCase } from '../cases/cases.store.ts'
import { openingSteps } from '../domain/registration.ts'
import { recordPart } from '../parts/record-part.ts'
import { appendLedger } from './append-ledger.ts'

export async function registerEvidence(
  change: ChangeContext,
  caseId: string,
  body: EvidenceCreate,
  now: Date,
): Promise<Evidence> {
  const { id: case_id } = await lockCase(change.tx, caseId)
  const actor = change.principal.username
  const { custody_entries: _, ...fields } = body
  const row = await change.tx
    .insertInto('evidence')
    .values({
      ...fields,
      id: randomUUIDv7(),
      case_id,
      sha256: body.sha256.toLowerCase(),
      registered_by: actor,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const links = await appendLedger(
    change.tx,
    case_id,
    openingSteps(case_id, body).map((step) => ({
      ...step,
      evidence_id: row.id,
      actor,
      timestamp: now.toISOString(),
    })),
  )
  const evidence = { ...toEvidence(row, links), custody_entries: links }
  await recordPart(change, case_id, 'evidence.register', {
    // Not by its name: that may have to be erased, and a timeline is copied into reports.
    said: `evidence registered: ${row.evidence_type} ${row.id}`,
    after: evidence,
  })
  return evidence
}
