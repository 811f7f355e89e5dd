import { AuditTrailInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const auditTrail = (functions: ToolFunctions) =>
  defineTool({
    name: 'audit_trail',
    title: 'Who did what',
    description: 'The newest entries of the audit log, about a record or by somebody.',
    input: AuditTrailInput,
    effect: 'reads',
    permissions: ['audit:read'],
    async run({ about, ...query }) {
      const { items, total } = await functions.listAudit({ ...query, q: about })
      return { total, entries: items }
    },
  })
