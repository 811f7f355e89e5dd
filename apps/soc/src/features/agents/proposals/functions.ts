import type { Alert, AlertCreate, AlertUpdate } from '@manara/soc-contract/alerts'
import type { Approval, ApprovalDecision, ApprovalTarget } from '@manara/soc-contract/approvals'
import type {
  CaseCreate,
  CaseDetail,
  Task,
  TaskCreate,
  TaskUpdate,
} from '@manara/soc-contract/cases'
import type { Feedback, FeedbackCreate } from '@manara/soc-contract/rule-feedback'
import type { Suppression, SuppressionCreate } from '@manara/soc-contract/suppressions'
import type { ChangeContext } from '../../../core/change/operator-change.ts'

/** What is done of other features when a proposal is accepted or undone; compose hands it in. */
export type ProposalFunctions = {
  openCase(change: ChangeContext, body: CaseCreate): Promise<CaseDetail>
  readCase(change: ChangeContext, id: string): Promise<CaseDetail>
  deleteCase(change: ChangeContext, id: string): Promise<object>
  linkAlert(change: ChangeContext, alertId: string, caseId: string): Promise<Alert>
  /** Out of the case, those that are still in it. */
  releaseAlerts(change: ChangeContext, caseId: string, alertIds: string[]): Promise<void>
  mergeCases(change: ChangeContext, caseId: string, caseIds: string[]): Promise<unknown>
  unmergeCases(change: ChangeContext, caseId: string, caseIds: string[]): Promise<unknown>
  addTask(change: ChangeContext, caseId: string, body: TaskCreate): Promise<Task>
  updateTask(
    change: ChangeContext,
    ids: { case_id: string; task_id: string },
    body: TaskUpdate,
  ): Promise<Task>
  raiseAlert(change: ChangeContext, alert: AlertCreate): Promise<{ alert: Alert; isNew: boolean }>
  updateAlert(change: ChangeContext, id: string, fields: AlertUpdate): Promise<Alert>
  createSuppression(
    change: ChangeContext,
    ruleId: string,
    body: SuppressionCreate,
  ): Promise<Suppression>
  deleteSuppression(
    change: ChangeContext,
    ids: { rule_id: string; suppression_id: string },
  ): Promise<unknown>
  blockIndicators(
    change: ChangeContext,
    request: { values: string[]; score: number; valid_days: number; reason: string | null },
  ): Promise<{ indicator_ids: string[]; values: string[] }>
  unblockIndicators(change: ChangeContext, indicatorIds: string[]): Promise<void>
  requestEndpointAction(
    change: ChangeContext,
    request: {
      endpoint: string
      command: 'isolate' | 'unisolate' | 'scan'
      reason: string | null
      requestKey: string
      isWayBack?: boolean
    },
  ): Promise<{ action_id: string; status: string; simulated: boolean; has_effect: boolean }>
  giveVerdict(change: ChangeContext, ruleId: string, body: FeedbackCreate): Promise<Feedback>
  withdrawVerdicts(change: ChangeContext, feedbackIds: string[]): Promise<void>
  requestApproval(
    change: ChangeContext,
    request: {
      kind: 'proposal'
      action: string
      justification: string | null
      playbook_id: null
      playbook_name: null
      execution_id: null
      alert_id: string | null
      case_id: string | null
      parameters: Record<string, unknown>
      bound: Record<string, unknown>
      targets: ApprovalTarget[]
      requested_by: string
      ttl_hours: number
      concerns: unknown
    },
  ): Promise<Approval>
  /** Uses it up for exactly these bytes; 409 says what is in the way. */
  consumeProposal(
    change: ChangeContext,
    approvalId: string,
    request: {
      alert_id: string | null
      case_id: string | null
      parameters: Record<string, unknown>
      bound: Record<string, unknown>
    },
  ): Promise<unknown>
  withdrawApproval(change: ChangeContext, approvalId: string): Promise<void>
} & PlaybookFunctions

type PlaybookAsk = {
  playbook_id: string
  alert_id: string | null
  case_id: string | null
  parameters: Record<string, unknown>
  /** What it rests on: who may not read a case that this names is not shown it. */
  concerns?: unknown
}

/** Of playbooks, which are composed later because they ask proposals about decisions. */
export type PlaybookFunctions = {
  decideApproval(
    change: ChangeContext,
    approvalId: string,
    decision: ApprovalDecision,
  ): Promise<Approval>
  /** Begins it, or asks for its approval: then it goes on by itself when that is given. */
  beginPlaybook(
    change: ChangeContext,
    ask: PlaybookAsk,
  ): Promise<{ execution_id: string; approval_id: string | null }>
  /** Always asks for its approval, critical or not, in the name of whoever proposed it. */
  askForPlaybook(
    change: ChangeContext,
    ask: PlaybookAsk & { requested_by: string },
  ): Promise<{ execution_id: string; approval_id: string | null }>
  /** One that has not ended; what it waits for is taken back. */
  cancelExecution(change: ChangeContext, executionId: string): Promise<unknown>
  rollBack(change: ChangeContext, executionId: string): Promise<unknown>
}
