import { CaseCreate } from '@manara/soc-contract/cases'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const Params = CaseCreate.extend({
  /** A case that the execution or its alert already has is taken instead of a second one. */
  reuse: z.boolean().default(true),
})
type Params = z.infer<typeof Params>

/** The alert of the execution is linked. */
export function createCase(functions: Pick<ActionFunctions, 'openCase' | 'readAlert'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { reuse, alert_ids, ...fields }: Params, { alertId, caseId }) {
      const alert = alertId === null ? null : await functions.readAlert(change.tx, alertId)
      const known = caseId ?? alert?.case_id
      if (reuse && known) return { case_id: known, created: false }
      // An alert is in one case at most.
      const linked = alert && !alert.case_id ? [alert.id, ...alert_ids] : alert_ids
      const { id } = await functions.openCase(change, { ...fields, alert_ids: linked })
      return { case_id: id, created: true }
    },
    caseOf: ({ case_id }) => String(case_id),
    undo: (_params: Params, { case_id, created }) =>
      created ? { action: 'delete_case', params: { case_id } } : null,
    simulate: () => ({ case_id: SIMULATED_ID, created: true }),
  }
}
