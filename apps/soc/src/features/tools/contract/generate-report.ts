import { ReportCreate } from '@manara/soc-contract/reports'
import { GenerateReportInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const generateReport = (functions: ToolFunctions) =>
  defineTool({
    name: 'generate_report',
    title: 'Write a report',
    description:
      'Writes a report from what is stored: about a case, or about the last thirty days without one.',
    input: GenerateReportInput.refine(
      ({ report_type, case_id }) => report_type !== 'investigation' || case_id != null,
      { path: ['case_id'], message: 'must name the case that the report is about' },
    ),
    effect: 'records',
    permissions: ['reports:read', 'cases:write'],
    check: async ({ case_id }, { db }) => case_id && functions.readCase(db, case_id),
    async run({ report_type, case_id, format }, { record }) {
      const kind = report_type ?? (case_id == null ? 'executive' : 'investigation')
      const store = await functions.writeReport(
        ReportCreate.parse({ report_type: kind, case_id, format }),
      )
      const report = await record(store)
      return { report_id: report.id, status: report.status, format, content: report.content }
    },
    shows: ({ report_id }) => [report_id],
  })
