import { randomUUIDv7 } from 'node:crypto'
import type { Observable, ObservableCreate } from '@manara/soc-contract/cases'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { toObservable } from '../cases/case-record.ts'
import { lockCase } from '../cases/cases.store.ts'
import { recordPart } from './record-part.ts'

export async function addObservable(
  change: ChangeContext,
  caseId: string,
  body: ObservableCreate,
): Promise<Observable> {
  const { id: case_id } = await lockCase(change.tx, caseId)
  const row = await change.tx
    .insertInto('case_observables')
    .values({
      ...body,
      id: randomUUIDv7(),
      case_id,
      context: JSON.stringify(body.context),
      created_by: change.principal.username,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const observable = toObservable(row)
  await recordPart(change, case_id, 'observable.add', {
    said: `observable added: ${body.type} ${body.value}`,
    after: observable,
  })
  return observable
}
