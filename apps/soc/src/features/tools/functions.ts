import type { Alert } from '@manara/soc-contract/alerts'
import type { Approval } from '@manara/soc-contract/approvals'
import type { AuditRecord } from '@manara/soc-contract/audit'
import type { Case, CaseCreate, CaseDetail, CaseUpdate } from '@manara/soc-contract/cases'
import type { Coverage } from '@manara/soc-contract/detection-content'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Execution, PendingApproval, StartedExecution } from '@manara/soc-contract/playbooks'
import type { Report, ReportCreate } from '@manara/soc-contract/reports'
import type { FieldValues, Histogram, Log, LogList } from '@manara/soc-contract/siem'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Principal } from '../../core/identity/principal.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>
type Between = { from?: Date | undefined; to?: Date | undefined }

/** An approval as far as the one who asked looks at it. */
type Waiting = Pick<
  Approval,
  'status' | 'decided_by' | 'reason' | 'requested_by' | 'requested_by_id'
> & {
  approval_id: string
  message: string | null
}

/** What other features do for the tools; each is handed in. */
export type ToolFunctions = {
  /** 429 when this caller executes too often. */
  limitExecute(principal: Principal): Promise<void>
  checkPlaybook(db: Db, id: string): Promise<unknown>
  /** Asked again, it goes on with the approval that was asked for before. */
  executePlaybook(
    change: ChangeContext,
    asked: {
      playbookId: string
      alertId: string
      parameters: Record<string, unknown>
      isRehearsal: boolean
    },
  ): Promise<StartedExecution | PendingApproval | { status: 'rejected'; message: string }>
  /** Whether executions only rehearse now. */
  isRehearsalOnly: boolean
  wakeExecutor(): void
  /** As it is when it has ended, or when `signal` ends the waiting. */
  whenExecuted(executionId: string, signal: AbortSignal): Promise<Execution>

  requestHumanApproval(
    change: ChangeContext,
    request: { action: string; justification: string; case_id: string | null; ttl_hours: number },
  ): Promise<Waiting>
  /** 404 when there is none of this id. */
  readWaiting(db: Db, approvalId: string): Promise<Waiting>

  openCase(change: ChangeContext, body: CaseCreate): Promise<CaseDetail>
  updateCase(change: ChangeContext, id: string, body: CaseUpdate): Promise<CaseDetail>
  addComment(change: ChangeContext, caseId: string, comment: { body: string }): Promise<unknown>
  readCase(db: Db, id: string): Promise<CaseDetail>
  listCases(query: { status?: Case['status'] | undefined } & CaseFilter): Promise<ListOf<Case>>

  readAlert(db: Db, id: string): Promise<Alert>
  listAlerts(query: AlertFilter & Between): Promise<ListOf<Alert>>
  listAudit(
    query: {
      q?: string | undefined
      actor?: string | undefined
      limit: number
    } & Between,
  ): Promise<ListOf<AuditRecord>>
  coverage(principal: Principal): Promise<Coverage>

  writeReport(body: ReportCreate): Promise<(change: ChangeContext) => Promise<Report>>

  searchLogs(search: LogSearch & { limit: number }, signal: AbortSignal): Promise<LogList>
  topValues(
    search: LogSearch & { field: string; limit: number },
    signal: AbortSignal,
  ): Promise<z.infer<typeof FieldValues>>
  countByTime(
    search: LogSearch & { bucket_s?: number | undefined },
    signal: AbortSignal,
  ): Promise<Histogram>
  readLog(id: string): Promise<Log>
}

type CaseFilter = {
  severity?: Case['severity'] | undefined
  assignee?: string | undefined
  q?: string | undefined
  limit: number
}

type AlertFilter = {
  severity?: Alert['severity'] | undefined
  status?: Alert['status'] | undefined
  source?: string | undefined
  host?: string | undefined
  q?: string | undefined
  limit: number
}

type LogSearch = {
  query: string
  source?: string | undefined
  host?: string | undefined
} & Between
