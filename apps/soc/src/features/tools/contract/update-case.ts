import { UpdateCaseInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const updateCase = (functions: ToolFunctions) =>
  defineTool({
    name: 'update_case',
    title: 'Change a case',
    description: 'Changes status and severity of a case; notes are added as a comment.',
    input: UpdateCaseInput,
    effect: 'records',
    permissions: ['cases:write'],
    check: ({ case_id }, { db }) => functions.readCase(db, case_id),
    // A note may be added; what a case has come to is a person's to say once foreign text was read.
    settles: ({ status, severity }) => status !== undefined || severity !== undefined,
    run: ({ case_id, notes, status, severity }, { record }) =>
      record(async (change) => {
        const fields = { ...(status && { status }), ...(severity && { severity }) }
        if (notes !== undefined) await functions.addComment(change, case_id, { body: notes })
        const changed =
          Object.keys(fields).length > 0
            ? await functions.updateCase(change, case_id, fields)
            : await functions.readCase(change.tx, case_id)
        return { case_id: changed.id, status: changed.status }
      }),
  })
