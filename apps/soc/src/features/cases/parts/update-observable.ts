import { isDeepStrictEqual } from 'node:util'
import { conflict } from '@manara/kit/errors'
import type { Observable, ObservableUpdate } from '@manara/soc-contract/cases'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { toObservable } from '../cases/case-record.ts'
import { lockCase } from '../cases/cases.store.ts'
import { sameObservable } from './add-observable.ts'
import { recordPart } from './record-part.ts'
import { lockObservable } from './remove-observable.ts'

export async function updateObservable(
  change: ChangeContext,
  ids: { case_id: string; observable_id: string },
  { context, ...fields }: ObservableUpdate,
): Promise<Observable> {
  const { id: caseId } = await lockCase(change.tx, ids.case_id)
  const before = toObservable(await lockObservable(change, caseId, ids.observable_id))
  const same = await sameObservable(change, caseId, {
    type: fields.type ?? before.type,
    value: fields.value ?? before.value,
  })
  if (same && same.id !== before.id) {
    throw conflict(`${same.type} ${same.value} is already observable ${same.id} of this case`)
  }
  const wanted = { ...before, ...fields, ...(context ? { context } : {}) }
  if (isDeepStrictEqual(wanted, before)) return before
  const row = await change.tx
    .updateTable('case_observables')
    .set({ ...fields, ...(context ? { context: JSON.stringify(context) } : {}) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const observable = toObservable(row)
  await recordPart(change, caseId, 'observable.update', {
    said: `observable changed: ${observable.type} ${observable.value}`,
    before,
    after: observable,
  })
  return observable
}
