import type { AlertStatus } from '@manara/soc-contract/alerts'
import type { Severity } from '@manara/soc-contract/severity'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type AlertTables = {
  alerts: {
    id: string
    title: string
    description: Optional<string>
    source: string
    source_ref: Optional<string>
    severity: Severity
    severity_rank: GeneratedAlways<number>
    status: AlertStatus
    resolution: Optional<string>
    iocs: string[]
    host: Optional<string>
    site_id: Optional<string>
    assignee: Optional<string>
    tags: string[]
    rule_id: Optional<string>
    mitre_techniques: string[]
    dedup_hash: string
    occurrence_count: Generated<number>
    first_seen_at: Timestamp
    last_seen_at: Timestamp
    /** Set by the database as the status changes: first looked at, and settled. */
    acknowledged_at: GeneratedAlways<Date | null>
    acknowledged_by: Optional<string>
    closed_by: Optional<string>
    closed_at: ColumnType<Date | null, undefined, Date | null>
    reopened_count: Generated<number>
    reopened_at: ColumnType<Date | null, undefined, Date | null>
    resolved_at: GeneratedAlways<Date | null>
    case_id: Optional<string>
    raw: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
    created_at: Timestamp
    updated_at: Timestamp
    search: GeneratedAlways<string>
  }
  /** Signed amounts whose sum is the number of alerts of a group. */
  alert_counts: { severity: Severity; status: AlertStatus; source: string; amount: string }
  /** What happened in each hour; several rows an hour, to be summed. */
  alert_activity: {
    hour: Date
    severity: Severity
    created: string
    acknowledged: string
    acknowledged_ms: string
    resolved: string
    resolved_ms: string
  }
}
