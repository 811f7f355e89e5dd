import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const Params = z.strictObject({ case_id: filledText(200) })
type Params = z.infer<typeof Params>

/** The way back of create_case: linked alerts return to triage. */
export function deleteCase(functions: Pick<ActionFunctions, 'deleteCase'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id }: Params) {
      await functions.deleteCase(change, case_id)
      return { case_id, deleted: true }
    },
    undo: null,
    simulate: ({ case_id }: Params) => ({ case_id, deleted: true }),
  }
}
