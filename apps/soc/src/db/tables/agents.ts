import type { AgentRunStatus, Cites, FindingKind } from '@manara/soc-contract/agents'
import type { ProposalKind, ProposalStatus, ProposedAction } from '@manara/soc-contract/proposals'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type MaybeTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
type JsonRecord = Record<string, unknown>

export type AgentTables = {
  agents: {
    id: string
    enabled: Generated<boolean>
    instances: Generated<number>
    site_id: Optional<string>
    failing_since: MaybeTimestamp
    probe_at: MaybeTimestamp
    recovered_at: MaybeTimestamp
    due_at: Timestamp
    looked_until: MaybeTimestamp
  }
  agent_pause: {
    is_paused: boolean
    by: string | null
    reason: string | null
    at: MaybeTimestamp
  }
  agent_event_head: { seq: string }
  agent_jobs: {
    id: string
    agent_id: string
    key: string
    input: Json<JsonRecord>
    priority: number
    group_key: Optional<string>
    status: Generated<'pending' | 'running' | 'joined' | 'done' | 'failed'>
    joined_to: Optional<string>
    attempts: Generated<number>
    error: Optional<string>
    owner: Optional<string>
    lease_until: MaybeTimestamp
    run_at: Timestamp
    created_at: Timestamp
    ended_at: MaybeTimestamp
  }
  agent_runs: {
    id: string
    agent_id: string
    key: string
    attempt: number
    status: AgentRunStatus
    summary: string
    steps: Json<{ what: string; count: number | null }[]>
    findings: number
    proposals: number
    dropped: number
    used: Json<{ ms: number; events: number; queries: number }>
    partial: Optional<string>
    error: Optional<string>
    started_at: Timestamp
    completed_at: Timestamp
  }
  agent_hours: {
    agent_id: string
    hour: Timestamp
    runs: number
    errors: number
    events: ColumnType<string, number, number>
    queries: ColumnType<string, number, number>
    ms: ColumnType<string, number, number>
    last_run_at: Timestamp
    last_error: Optional<string>
  }
  agent_findings: {
    id: string
    agent_id: string
    run_id: string
    key: string
    kind: FindingKind
    claim: string
    reasons: string[]
    weight: number
    alert_id: Optional<string>
    case_id: Optional<string>
    host: Optional<string>
    techniques: string[]
    data: Json<JsonRecord>
    cites: Json<Cites>
    created_at: Timestamp
  }
  proposals: {
    id: string
    agent_id: Optional<string>
    proposed_by: string
    run_id: Optional<string>
    key: string
    kind: ProposalKind
    title: string
    rationale: string[]
    action: Json<ProposedAction>
    action_sha256: string
    effect: 'records' | 'acts'
    risk: string
    way_back: string
    evidence: Json<JsonRecord>
    cites: Json<Cites>
    status: Generated<ProposalStatus>
    status_reason: Optional<string>
    approval_id: Optional<string>
    decided_by: Optional<string>
    decided_at: MaybeTimestamp
    result: ColumnType<JsonRecord | null, string | null | undefined, string | null>
    feedback_ids: Generated<string[]>
    undone_by: Optional<string>
    undone_at: MaybeTimestamp
    created_at: Timestamp
    expires_at: Timestamp
  }
}
