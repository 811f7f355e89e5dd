import { TaskStatus } from '@manara/soc-contract/cases'
import { filledText, text } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const Params = z.strictObject({
  case_id: filledText(200),
  task_id: filledText(200),
  status: TaskStatus,
  assignee: text(320).nullable().optional(),
})
type Params = z.infer<typeof Params>

/** The way back of add_task, and of use by itself. */
export function updateTask(functions: Pick<ActionFunctions, 'updateTask'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id, task_id, ...body }: Params) {
      const { status } = await functions.updateTask(change, { case_id, task_id }, body)
      return { case_id, task_id, status }
    },
    undo: null,
    simulate: ({ case_id, task_id, status }: Params) => ({ case_id, task_id, status }),
  }
}
