import type { CaseAccess, CaseStatus, TaskStatus, Tlp } from '@manara/soc-contract/cases'
import type { LedgerAction } from '@manara/soc-contract/evidence'
import type { Severity } from '@manara/soc-contract/severity'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json, Timestamp, UserId } from './columns.ts'

type MaybeTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type CaseTables = {
  cases: {
    id: string
    title: string
    status: CaseStatus
    severity: Severity
    severity_rank: GeneratedAlways<number>
    description: Optional<string>
    assignee: Optional<string>
    requires_human_approval: Generated<boolean>
    access: ColumnType<CaseAccess, string | undefined, string>
    tlp: Generated<Tlp>
    version: Generated<number>
    merged_into: Optional<string>
    /** Kept beside the chain, so that one cut short is noticed. */
    ledger_length: Generated<number>
    ledger_head: Generated<string>
    /** The transaction that it last grew in; set by the database. */
    ledger_xid: GeneratedAlways<string | null>
    created_by: string
    created_by_id: UserId
    created_at: Timestamp
    updated_at: Timestamp
    deleted_at: MaybeTimestamp
    deleted_by: Optional<string>
    search: GeneratedAlways<string>
  }
  case_timeline: {
    id: GeneratedAlways<string>
    case_id: string
    agent: string
    action: string
    timestamp: Timestamp
  }
  case_observables: {
    id: string
    case_id: string
    type: string
    value: string
    source: Optional<string>
    tags: string[]
    context: Json<Record<string, unknown>>
    created_by: string
    created_at: Timestamp
  }
  case_comments: {
    id: string
    case_id: string
    author: string
    body: string
    created_at: Timestamp
  }
  case_tasks: {
    id: string
    case_id: string
    title: string
    description: Optional<string>
    status: TaskStatus
    assignee: Optional<string>
    due_at: MaybeTimestamp
    created_by: string
    created_at: Timestamp
    updated_at: Timestamp
  }
  case_merges: {
    id: string
    case_id: string
    merged_case_id: string
    alert_ids: string[]
    merged_by: string
    /** What the case was by itself, before others joined it. */
    own_severity: Optional<string>
    merged_at: Timestamp
    unmerged_by: Optional<string>
    unmerged_at: MaybeTimestamp
  }
  evidence: {
    id: string
    case_id: string
    name: string
    evidence_type: string
    storage_url: Optional<string>
    sha256: string
    location: Optional<string>
    registered_by: string
    created_at: Timestamp
  }
  evidence_ledger: {
    case_id: string
    seq: number
    evidence_id: string
    action: LedgerAction
    actor: string
    timestamp: string
    details: Json<Record<string, unknown>>
    salt: Optional<string>
    details_hash: Optional<string>
    erased_at: MaybeTimestamp
    prev_hash: string
    entry_hash: string
  }
}
