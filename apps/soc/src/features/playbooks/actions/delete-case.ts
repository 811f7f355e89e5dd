import { conflict } from '@manara/kit/errors'
import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const Params = z.strictObject({ case_id: filledText(200) })
type Params = z.infer<typeof Params>

/** The way back of create_case: linked alerts return to triage. A case with evidence stays. */
export function deleteCase(functions: Pick<ActionFunctions, 'deleteCase' | 'updateCase'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id }: Params) {
      // Changes nothing, and holds the case: until it is gone nobody adds evidence.
      const { evidence } = await functions.updateCase(change, case_id, {})
      if (evidence.length > 0) {
        throw conflict(`case ${case_id} has evidence: delete the case itself if it must go`)
      }
      await functions.deleteCase(change, case_id)
      return { case_id, deleted: true }
    },
    undo: null,
    simulate: ({ case_id }: Params) => ({ case_id, deleted: true }),
  }
}
