import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const Params = z.strictObject({ case_id: filledText(200), body: filledText(20_000) })
type Params = z.infer<typeof Params>

export function addComment(functions: Pick<ActionFunctions, 'addComment'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id, body }: Params) {
      const { id } = await functions.addComment(change, case_id, { body })
      return { case_id, comment_id: id }
    },
    // What was said stays said; who reads on learns that it no longer holds.
    undo: ({ case_id, body }: Params) => ({
      action: 'add_comment',
      params: { case_id, body: `Rolled back: ${body}`.slice(0, 20_000) },
    }),
    simulate: ({ case_id }: Params) => ({ case_id, comment_id: SIMULATED_ID }),
  }
}
