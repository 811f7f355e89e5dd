import { TaskCreate } from '@manara/soc-contract/cases'
import { filledText } from '@manara/soc-contract/text'
import type { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const Params = TaskCreate.extend({ case_id: filledText(200) })
type Params = z.infer<typeof Params>

export function addTask(functions: Pick<ActionFunctions, 'addTask'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id, ...body }: Params) {
      const { id } = await functions.addTask(change, case_id, body)
      return { case_id, task_id: id }
    },
    undo: (_params: Params, { case_id, task_id }) => ({
      action: 'update_task',
      params: { case_id, task_id, status: 'cancelled' },
    }),
    simulate: ({ case_id }: Params) => ({ case_id, task_id: SIMULATED_ID }),
  }
}
