import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const Params = z.strictObject({ case_id: filledText(200), observable_id: filledText(200) })
type Params = z.infer<typeof Params>

/** The way back of add_observable. */
export function removeObservable(functions: Pick<ActionFunctions, 'removeObservable'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id, observable_id }: Params) {
      await functions.removeObservable(change, case_id, observable_id)
      return { case_id, observable_id, removed: true }
    },
    undo: null,
    simulate: (params: Params) => ({ ...params, removed: true }),
  }
}
