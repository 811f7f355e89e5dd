import { notFound } from '@manara/kit/errors'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import { toObservable } from '../cases/case-record.ts'
import { lockCase } from '../cases/cases.store.ts'
import { recordPart } from './record-part.ts'

/** For what was added by mistake, such as a playbook that is rolled back; the timeline keeps both. */
export async function removeObservable(
  change: ChangeContext,
  caseId: string,
  observableId: string,
): Promise<void> {
  const { id: case_id } = await lockCase(change.tx, caseId)
  const row = isRecordId(observableId)
    ? await change.tx
        .deleteFrom('case_observables')
        .where('id', '=', observableId)
        .where('case_id', '=', case_id)
        .returningAll()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('observable', observableId)
  await recordPart(change, case_id, 'observable.remove', {
    said: `observable removed: ${row.type} ${row.value}`,
    before: toObservable(row),
    after: { id: row.id },
  })
}
