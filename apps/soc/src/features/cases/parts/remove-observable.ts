import { notFound } from '@manara/kit/errors'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import { toObservable } from '../cases/case-record.ts'
import { familyOf, lockCase } from '../cases/cases.store.ts'
import { recordPart } from './record-part.ts'

/** For what was added by mistake, such as a playbook that is rolled back; the timeline keeps both. */
export async function removeObservable(
  change: ChangeContext,
  caseId: string,
  observableId: string,
): Promise<{ deleted: true; id: string }> {
  const { id: case_id } = await lockCase(change.tx, caseId)
  const row = await lockObservable(change, case_id, observableId)
  await change.tx.deleteFrom('case_observables').where('id', '=', row.id).execute()
  await recordPart(change, case_id, 'observable.remove', {
    said: `observable removed: ${row.type} ${row.value}`,
    before: toObservable(row),
    after: { id: row.id },
  })
  return { deleted: true, id: row.id }
}

/** Of the case itself or of one that is merged into it. */
export async function lockObservable({ tx }: ChangeContext, caseId: string, observableId: string) {
  const row = isRecordId(observableId)
    ? await tx
        .selectFrom('case_observables')
        .selectAll()
        .where('id', '=', observableId)
        .where('case_id', '=', sql<string>`ANY(${await familyOf(tx, caseId)}::uuid[])`)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('observable', observableId)
  return row
}
