import { ObservableCreate } from '@manara/soc-contract/cases'
import { filledText } from '@manara/soc-contract/text'
import type { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const Params = ObservableCreate.extend({ case_id: filledText(200) })
type Params = z.infer<typeof Params>

export function addObservable(functions: Pick<ActionFunctions, 'addObservable'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id, ...body }: Params) {
      const { observable, isNew } = await functions.addObservable(change, case_id, body)
      return { case_id, observable_id: observable.id, is_new: isNew }
    },
    // What was there before stays.
    undo: (_params: Params, { case_id, observable_id, is_new }) =>
      is_new ? { action: 'remove_observable', params: { case_id, observable_id } } : null,
    simulate: ({ case_id }: Params) => ({ case_id, observable_id: SIMULATED_ID, is_new: true }),
  }
}
