import { CreateCaseInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const createCase = (functions: ToolFunctions) =>
  defineTool({
    name: 'create_case',
    title: 'Open a case',
    description: 'Opens a case and links the alerts to it.',
    input: CreateCaseInput,
    effect: 'records',
    permissions: ['cases:write'],
    async check({ alert_ids }, { db }) {
      for (const id of alert_ids) await functions.readAlert(db, id)
    },
    async run({ title, description, ...fields }, { db, principal, record }) {
      const [first] = fields.alert_ids
      const named = title ?? (first && (await functions.readAlert(db, first)).title)
      const opened = await record((change) =>
        functions.openCase(change, {
          ...fields,
          title: named ?? `Case opened by ${principal.username}`,
          description: description ?? null,
        }),
      )
      return { case_id: opened.id, status: opened.status }
    },
    shows: ({ case_id }) => [case_id],
  })
