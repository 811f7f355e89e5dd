import { CaseStatus } from '@manara/soc-contract/cases'
import { Severity } from '@manara/soc-contract/severity'
import { filledText, text } from '@manara/soc-contract/text'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'

const Params = z.strictObject({
  case_id: filledText(200),
  title: filledText(500).optional(),
  severity: Severity.optional(),
  status: CaseStatus.optional(),
  description: text(20_000).nullable().optional(),
  assignee: text(320).nullable().optional(),
  requires_human_approval: z.boolean().optional(),
})
type Params = z.infer<typeof Params>

export function updateCase(functions: Pick<ActionFunctions, 'updateCase' | 'readCase'>): Action {
  return {
    effect: 'records',
    params: Params,
    async run(change, { case_id, ...fields }: Params) {
      const record: Record<string, unknown> = await functions.readCase(change.tx, case_id)
      const before = Object.fromEntries(Object.keys(fields).map((name) => [name, record[name]]))
      await functions.updateCase(change, case_id, fields)
      return { case_id, before }
    },
    undo: ({ case_id }: Params, { before }) => ({
      action: 'update_case',
      params: { case_id, ...(before as object) },
    }),
    simulate: ({ case_id }: Params) => ({ case_id, before: {} }),
  }
}
