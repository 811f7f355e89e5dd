import type {
  ApprovalKind,
  ApprovalStatus,
  ApprovalTarget,
  FieldChange,
} from '@manara/soc-contract/approvals'
import type {
  ExecutionStatus,
  Playbook,
  PlaybookParameter,
  PlaybookStep,
  PlaybookTrigger,
  RollbackStatus,
  StepStatus,
} from '@manara/soc-contract/playbooks'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp, UserId } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type MaybeTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
type JsonRecord = Record<string, unknown>
/** The alert and the case as they were when an approval was asked for. */
export type FrozenContext = { alert: unknown; case: unknown }
/** What an approved execution is made of, beside what the approval shows. */
export type Frozen = { steps: PlaybookStep[]; timeout_s: number; context: FrozenContext }
type Targets = ColumnType<ApprovalTarget[], string | undefined, string>

export type ResponseTables = {
  approvals: {
    id: string
    kind: ApprovalKind
    action: string
    justification: Optional<string>
    playbook_id: Optional<string>
    playbook_name: Optional<string>
    execution_id: Optional<string>
    alert_id: Optional<string>
    case_id: Optional<string>
    parameters: Json<JsonRecord>
    targets: Targets
    playbook_version: Optional<number>
    steps: ColumnType<PlaybookStep[], string | undefined, never>
    changes: ColumnType<FieldChange[], string | undefined, never>
    approvers: Optional<string[]>
    approver_ids: Optional<string[]>
    frozen: ColumnType<Frozen | null, string | null | undefined, never>
    /** In its texts, of those that its requester could read then. */
    cases_named: ColumnType<string[], string[] | undefined, never>
    binding_hash: string
    status: Generated<ApprovalStatus>
    requested_by: string
    requested_by_id: UserId
    created_at: Timestamp
    expires_at: Timestamp
    decided_by: Optional<string>
    decided_by_id: UserId
    decided_at: MaybeTimestamp
    reason: Optional<string>
    consumed_at: MaybeTimestamp
  }
  approval_waits: {
    approval_id: string
    polls: Generated<number>
    next_poll_at: Timestamp
    outcome: Optional<'decided' | 'timeout'>
  }
  playbooks: {
    id: string
    version: number
    name: string
    description: Optional<string>
    enabled: boolean
    is_critical: boolean
    trigger: Json<PlaybookTrigger>
    parameters: Json<Record<string, PlaybookParameter>>
    steps: Json<PlaybookStep[]>
    tags: string[]
    timeout_s: number
    origin: Playbook['origin']
    is_edited: Generated<boolean>
    shipped_hash: Optional<string>
    run_count: Generated<number>
    finished_count: Generated<number>
    success_count: Generated<number>
    last_run_at: MaybeTimestamp
    created_at: Timestamp
    updated_at: Timestamp
    deleted_at: MaybeTimestamp
    approvers: Optional<string[]>
    /** Of those users, by a trigger: a name can be given again. */
    approver_ids: ColumnType<string[] | null, never, never>
    updated_by: Generated<string>
    approved_by: Optional<string>
  }
  /** Written by a trigger whenever a playbook changes; only grows. */
  playbook_revisions: {
    playbook_id: string
    revision: number
    version: number
    definition: JsonRecord
    is_deleted: boolean
    changed_by: string
    approved_by: string | null
    changed_at: Date
  }
  playbook_trigger_head: { seq: string }
  executions: {
    id: string
    playbook_id: string
    playbook_name: string
    playbook_version: number
    plan: Json<PlaybookStep[]>
    /** Who alone decides about its steps: those the playbook named when it began. */
    approvers: Optional<string[]>
    approver_ids: Optional<string[]>
    /** What templates read of the alert and the case since somebody approved them. */
    context: ColumnType<FrozenContext | null, string | null | undefined, string>
    trigger: PlaybookTrigger['on']
    status: ExecutionStatus
    dry_run: boolean
    alert_id: Optional<string>
    case_id: Optional<string>
    parameters: Json<JsonRecord>
    /** In its parameters and steps, of those that its requester could read then. */
    cases_named: Generated<string[]>
    targets: Targets
    approval_id: Optional<string>
    requested_by: string
    requested_by_id: UserId
    error: Optional<string>
    cancel_requested_by: Optional<string>
    rollback: Generated<RollbackStatus>
    ends_as: Optional<ExecutionStatus>
    timeout_s: number
    deadline: MaybeTimestamp
    owner: Optional<string>
    lease_until: MaybeTimestamp
    resume_at: Timestamp
    created_at: Timestamp
    started_at: MaybeTimestamp
    completed_at: MaybeTimestamp
  }
  execution_steps: {
    execution_id: string
    position: number
    id: string
    action: string
    status: Generated<StepStatus>
    input: ColumnType<JsonRecord | null, string | null | undefined, string | null>
    output: ColumnType<JsonRecord | null, string | null | undefined, string | null>
    error: Optional<string>
    attempts: Generated<number>
    is_simulated: Generated<boolean>
    started_at: MaybeTimestamp
    completed_at: MaybeTimestamp
  }
}
