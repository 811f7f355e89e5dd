import type { Tool } from '../../core/tools/tool.ts'
import { approvalStatus } from './contract/approval-status.ts'
import { createCase } from './contract/create-case.ts'
import { executePlaybook } from './contract/execute-playbook.ts'
import { generateReport } from './contract/generate-report.ts'
import { requestHumanApproval } from './contract/request-human-approval.ts'
import { updateCase } from './contract/update-case.ts'
import type { ToolFunctions } from './functions.ts'
import { aggregateLogs } from './reading/aggregate-logs.ts'
import { auditTrail } from './reading/audit-trail.ts'
import { getAlert, getCase, getLog, listAlerts, listCases } from './reading/get-records.ts'
import { ruleCoverage } from './reading/rule-coverage.ts'
import { searchLogs } from './reading/search-logs.ts'
import { timeline } from './reading/timeline.ts'

/** The contract's five first; the others read. */
const TOOLS = [
  executePlaybook,
  requestHumanApproval,
  createCase,
  updateCase,
  generateReport,
  approvalStatus,
  searchLogs,
  aggregateLogs,
  getLog,
  getAlert,
  listAlerts,
  getCase,
  listCases,
  timeline,
  ruleCoverage,
  auditTrail,
]

export const allTools = (functions: ToolFunctions): Tool[] =>
  TOOLS.map((define) => define(functions))
