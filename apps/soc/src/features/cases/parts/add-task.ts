import { randomUUIDv7 } from 'node:crypto'
import type { Task, TaskCreate } from '@manara/soc-contract/cases'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { withOwnSpelling } from '../../../core/identity/is-named.ts'
import { toTask } from '../cases/case-record.ts'
import { lockCase } from '../cases/cases.store.ts'
import { recordPart } from './record-part.ts'

export async function addTask(
  change: ChangeContext,
  caseId: string,
  body: TaskCreate,
): Promise<Task> {
  const { id: case_id } = await lockCase(change.tx, caseId)
  const row = await change.tx
    .insertInto('case_tasks')
    .values({
      ...(await withOwnSpelling(change.tx, body)),
      ...{ id: randomUUIDv7(), case_id, created_by: change.principal.username },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const task = toTask(row)
  await recordPart(change, case_id, 'task.add', { said: `task added: ${task.title}`, after: task })
  return task
}
