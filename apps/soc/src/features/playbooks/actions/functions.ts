import type { Alert } from '@manara/soc-contract/alerts'
import type { Approval, ApprovalTarget } from '@manara/soc-contract/approvals'
import type {
  Case,
  CaseCreate,
  CaseDetail,
  CaseUpdate,
  Comment,
  CommentCreate,
  Observable,
  ObservableCreate,
  Task,
  TaskCreate,
  TaskUpdate,
} from '@manara/soc-contract/cases'
import type { PlaybookStep } from '@manara/soc-contract/playbooks'
import type { ReportCreate } from '@manara/soc-contract/reports'
import type { Kysely } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Frozen } from '../../../db/tables/response.ts'
import type { Tables } from '../../../db/tables.ts'
import type { SendMail } from '../../../ports/mail.ts'
import type { CallWebhook } from '../../../ports/webhook.ts'
import type { SecretBound } from '../domain/secrets.ts'

type Db = Kysely<Tables>

/** What playbooks ask of other features and of the world; compose hands them in. */
export type ActionFunctions = {
  /** 404 when there is none. */
  readAlert(db: Db, id: string): Promise<Alert>
  readCase(db: Db, id: string): Promise<Case>
  openCase(change: ChangeContext, body: CaseCreate): Promise<{ id: string }>
  updateCase(change: ChangeContext, id: string, body: CaseUpdate): Promise<CaseDetail>
  deleteCase(change: ChangeContext, id: string): Promise<object>
  addComment(change: ChangeContext, caseId: string, body: CommentCreate): Promise<Comment>
  addTask(change: ChangeContext, caseId: string, body: TaskCreate): Promise<Task>
  updateTask(
    change: ChangeContext,
    ids: { case_id: string; task_id: string },
    body: TaskUpdate,
  ): Promise<Task>
  addObservable(
    change: ChangeContext,
    caseId: string,
    body: ObservableCreate,
  ): Promise<{ observable: Observable; isNew: boolean }>
  removeObservable(change: ChangeContext, caseId: string, observableId: string): Promise<unknown>

  requestApproval(change: ChangeContext, request: StepApproval): Promise<Approval>
  /** As it is now; an approved one is consumed with it. */
  useApproval(change: ChangeContext, approvalId: string): Promise<Approval>
  /** Takes back what nobody decided yet. */
  withdrawApproval(change: ChangeContext, approvalId: string): Promise<void>

  /** Held against deletion until the transaction ends. */
  findSecrets(tx: Db, names: string[]): Promise<SecretBound[]>
  /** With their values; an AppError names the first that is missing or cannot be read. */
  openSecrets(tx: Db, names: string[]): Promise<(SecretBound & { value: string })[]>

  callWebhook: CallWebhook
  sendMail: SendMail
} & AreaFunctions

export type StepApproval = {
  kind: 'playbook' | 'step'
  action: string
  justification: string | null
  playbook_id: string
  playbook_name: string
  execution_id: string | null
  alert_id: string | null
  case_id: string | null
  parameters: Record<string, unknown>
  /** Whatever else the decision must be bound to. */
  bound: Record<string, unknown>
  targets?: ApprovalTarget[] | undefined
  /** As they are shown. */
  steps: PlaybookStep[]
  playbook_version: number
  approvers: string[] | null
  approver_ids?: string[] | null
  /** As they are run, once approved. */
  frozen?: Frozen | undefined
  requested_by: string
  ttl_hours: number
  /** What somebody proposed it for. */
  concerns?: unknown
}

/** Of features that are composed on their own. */
export type AreaFunctions = {
  /** Newest first; `total` counts all matches as far as the store counts. */
  searchLogs(
    search: { query: string; from: Date; to: Date; limit: number },
    signal: AbortSignal,
  ): Promise<{ total: number; logs: Record<string, unknown>[] }>
  /** The indicator that stands for this value, if any. */
  findIndicator(value: string): Promise<Record<string, unknown> | null>
  /** An indicator with a score, each; what was there before is told for the way back. */
  blockIndicators(
    change: ChangeContext,
    request: { values: string[]; score: number; valid_days: number; reason: string | null },
  ): Promise<{ indicator_ids: string[]; values: string[] }>
  /** On how many hosts and days the logs have a value. */
  prevalenceOf(value: string): Promise<{ hosts: number; days: number; partial: boolean }>
  unblockIndicators(change: ChangeContext, indicatorIds: string[]): Promise<void>
  /** The receipt; the same key again is the same request. */
  requestEndpointAction(
    change: ChangeContext,
    request: {
      endpoint: string
      command: 'isolate' | 'unisolate' | 'scan'
      reason: string | null
      requestKey: string
      isWayBack?: boolean
    },
  ): Promise<EndpointReceipt & { has_effect: boolean }>
  readEndpointAction(db: Db, actionId: string): Promise<EndpointReceipt>
  /** 409 when one of them forwards the logs of others. */
  refuseCollectors(db: Db, targets: string[]): Promise<void>
  generateReport(
    change: ChangeContext,
    request: Pick<ReportCreate, 'report_type' | 'case_id' | 'format'>,
  ): Promise<{ report_id: string; title: string; sha256: string | null }>
}

export type EndpointReceipt = {
  action_id: string
  status: string
  detail?: string | null
  simulated: boolean
}
