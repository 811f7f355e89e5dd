import { notFound } from '@manara/kit/errors'
import type { Task, TaskUpdate } from '@manara/soc-contract/cases'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { withOwnSpelling } from '../../../core/identity/is-named.ts'
import { isRecordId } from '../../../db/record-id.ts'
import { toTask } from '../cases/case-record.ts'
import { familyOf, lockCase } from '../cases/cases.store.ts'
import { recordPart } from './record-part.ts'

export async function updateTask(
  change: ChangeContext,
  { case_id, task_id }: { case_id: string; task_id: string },
  fields: TaskUpdate,
): Promise<Task> {
  const { id: caseId } = await lockCase(change.tx, case_id)
  const before = await taskOf(change, caseId, task_id)
  const wanted = { ...before, ...(await withOwnSpelling(change.tx, fields)) }
  const { status, assignee } = wanted
  // Said twice, it is one line of the timeline.
  if (status === before.status && assignee === before.assignee) return toTask(before)
  const row = await change.tx
    .updateTable('case_tasks')
    .set({ status, assignee, updated_at: sql`now()` })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const task = toTask(row)
  await recordPart(change, caseId, 'task.update', {
    said: `task ${task.title}: ${task.status}${task.assignee ? `, ${task.assignee}` : ''}`,
    before: { id: before.id, status: before.status, assignee: before.assignee },
    after: { id: task.id, status: task.status, assignee: task.assignee },
  })
  return task
}

/** Of the case itself or of one that is merged into it. */
async function taskOf({ tx }: ChangeContext, caseId: string, taskId: string) {
  const row = isRecordId(taskId)
    ? await tx
        .selectFrom('case_tasks')
        .selectAll()
        .where('id', '=', taskId)
        .where('case_id', '=', sql<string>`ANY(${await familyOf(tx, caseId)}::uuid[])`)
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('task', taskId)
  return row
}
