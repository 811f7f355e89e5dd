import type { Http } from '@manara/kit/http'
import type { RecordAudit } from '../core/audit/record-audit.ts'
import { alertById } from '../features/alerts/alerts.store.ts'
import { listAlerts } from '../features/alerts/list-alerts.ts'
import { requestApproval } from '../features/approvals/request-approval.ts'
import { readWaiting, requestHumanApproval } from '../features/approvals/request-human-approval.ts'
import { listAudit } from '../features/audit/list-audit.ts'
import { addComment } from '../features/cases/parts/add-comment.ts'
import { mcpRoutes } from '../features/mcp/mcp.routes.ts'
import { playbookById } from '../features/playbooks/definitions/playbooks.store.ts'
import { whenExecuted } from '../features/playbooks/executions/when-executed.ts'
import { allTools } from '../features/tools/all-tools.ts'
import { type CallDeps, createTools } from '../features/tools/call-tool.ts'
import type { ToolFunctions } from '../features/tools/functions.ts'
import { toolRoutes } from '../features/tools/tools.routes.ts'
import type { Platform } from './area.ts'
import type { composeRecords } from './records.ts'
import type { composeReports } from './reports.ts'
import type { composeResponse } from './response.ts'
import type { composeSearch } from './search.ts'

type ToolNeeds = {
  version: string
  recordAudit: RecordAudit
  limitMcp(address: string): Promise<void>
} & Pick<ToolFunctions, 'limitExecute' | 'coverage'> &
  Pick<CallDeps, 'agentState'> &
  Pick<ReturnType<typeof composeSearch>, 'askLogs'> &
  Pick<ReturnType<typeof composeReports>, 'writeReport'> &
  Pick<ReturnType<typeof composeResponse>, 'executeAgain' | 'wakeExecutor'> &
  Pick<ReturnType<typeof composeRecords>, 'openCase' | 'updateCase' | 'caseDetail' | 'listCases'>

const APPROVAL_HOURS = 4

/** One registry for agents, chat and MCP, over what the areas do. */
export function composeTools(platform: Platform, needs: ToolNeeds) {
  const { config, db, mode, log, readThrough, internalWorkflow } = platform
  const { recordAudit, agentState, caseDetail } = needs

  const functions: ToolFunctions = {
    ...needs.askLogs,
    limitExecute: needs.limitExecute,
    checkPlaybook: playbookById,
    executePlaybook: (change, { playbookId, alertId, parameters, isRehearsal }) =>
      needs.executeAgain(change, {
        playbookId,
        body: { alert_id: alertId, parameters, dry_run: isRehearsal },
        isRehearsal,
      }),
    isRehearsalOnly: !mode.actsOutside,
    wakeExecutor: needs.wakeExecutor,
    whenExecuted: (id, signal) => whenExecuted(db, id, signal),
    ...{ requestHumanApproval, readWaiting, addComment },
    ...{ openCase: needs.openCase, updateCase: needs.updateCase, writeReport: needs.writeReport },
    readCase: (within, id) => readThrough(() => caseDetail(within, id)),
    listCases: (asked) => readThrough(() => needs.listCases(db, newestOf(asked))),
    readAlert: (within, id) => readThrough(() => alertById(within, id)),
    listAlerts: (asked) => readThrough(() => listAlerts(db, newestOf(asked))),
    listAudit: (query) => readThrough(() => listAudit(db, { ...query, skip: 0, order: 'desc' })),
    coverage: needs.coverage,
  }

  const tools = createTools({
    ...{ db, mode, log, recordAudit, agentState, internalWorkflow },
    tools: allTools(functions),
    askPerson: async (change, { tool, input }) => {
      const { id } = await requestApproval(change, {
        kind: 'request',
        action: `call ${tool}`,
        justification: 'wanted by a run that had read text from logs, alerts or cases',
        ...{ case_id: null, alert_id: null, playbook_id: null, playbook_name: null },
        execution_id: null,
        parameters: { ...input },
        bound: { tool },
        requested_by: change.principal.username,
        ttl_hours: APPROVAL_HOURS,
      })
      return id
    },
  })

  return {
    tools,
    routes: (api: Http) => toolRoutes(api, { tools }),
    rootRoutes: (http: Http) =>
      mcpRoutes(http, {
        tools,
        version: needs.version,
        hostNames: config.hostNames,
        limitAddress: needs.limitMcp,
      }),
  }
}

/** A tool names one severity and one status where a list takes several. */
const newestOf = <Severity, Status, Query extends object>({
  severity,
  status,
  ...query
}: Query & { severity?: Severity | undefined; status?: Status | undefined }) => ({
  ...query,
  ...{ skip: 0, sort: 'created_at' as const, order: 'desc' as const },
  ...(severity && { severity: [severity] }),
  ...(status && { status: [status] }),
})
