import { ReportFormat, ReportType } from '@manara/soc-contract/reports'
import { filledText } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const Params = z.strictObject({
  report_type: ReportType.default('investigation'),
  case_id: filledText(200).nullable().default(null),
  format: ReportFormat.default('markdown'),
})
type Params = z.infer<typeof Params>

/** A report is a record of what was; it is not taken back. */
export function generateReport(functions: Pick<ActionFunctions, 'generateReport'>): Action {
  return {
    effect: 'records',
    params: Params,
    run: (change, params: Params) => functions.generateReport(change, params),
    undo: null,
    simulate: () => ({ report_id: SIMULATED_ID }),
  }
}
