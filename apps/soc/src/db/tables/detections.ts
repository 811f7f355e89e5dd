import type {
  NewTerms,
  RuleFields,
  RuleRun,
  Sequence,
  Threshold,
} from '@manara/soc-contract/detections'
import type { Role } from '@manara/soc-contract/permissions'
import type { Criteria } from '@manara/soc-contract/suppressions'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp, UserId } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** bigint: arrives as text, is written as a number. */
type Big = ColumnType<string, number, number>

export type DetectionTables = {
  detection_rules: {
    id: string
    name: string
    description: string
    query: string
    source: Optional<string>
    host: Optional<string>
    match_severity: Optional<string>
    alert_severity: RuleFields['alert_severity']
    alert_title_template: string
    alert_description_template: string
    auto_create_case: boolean
    schedule_enabled: boolean
    schedule_interval_minutes: number
    mitre_techniques: string[]
    sharing_mode: RuleFields['sharing_mode']
    shared_with_roles: Role[]
    tags: string[]
    kind: RuleFields['kind']
    threshold: OptionalJson<Threshold>
    new_terms: OptionalJson<NewTerms>
    sequence: OptionalJson<Sequence>
    enabled: boolean
    sigma_id: Optional<string>
    sigma_source: Optional<string>
    warnings: Generated<string[]>
    version: Generated<number>
    next_run_at: OptionalTime
    last_run_at: OptionalTime
    covered_until: OptionalTime
    terms_learnt_at: OptionalTime
    lease_until: OptionalTime
    lease_token: Optional<string>
    failures: Generated<number>
    /** Found beyond the cap, since the rule was last changed. */
    unrecorded_hits: Generated<string>
    capped_at: OptionalTime
    /** Which events a Sigma rule's logsource means. */
    source_query: Optional<string>
    /** Who read its Sigma, see reader-key.ts, and what it meant then; null when that is not known. */
    read_by: Optional<string>
    made: Optional<string>
    /** The same for rules that look at the same events; null when that is not known. */
    source_key: ColumnType<string | null, never, never>
    created_by: string
    created_by_id: UserId
    created_at: Timestamp
    updated_at: Timestamp
  }
  detection_runs: {
    id: string
    rule_id: string
    trigger_mode: RuleRun['trigger_mode']
    status: RuleRun['status']
    match_count: number
    suppressed_count: number
    unrecorded_count: Big
    sample_log_ids: string[]
    alert_ids: string[]
    window_from: Timestamp
    window_to: Timestamp
    lateness_ms: Big
    gap_ms: Big
    events_scanned: Big
    error: Optional<string>
    run_by: string
    started_at: Timestamp
    completed_at: Timestamp
  }
  detection_suppressions: {
    id: string
    rule_id: string
    name: string
    reason: string
    criteria: Json<Criteria>
    suppress_for_hours: number
    expires_at: Timestamp
    held_count: Generated<string>
    last_held_at: OptionalTime
    created_by: string
    created_at: Timestamp
    updated_at: Timestamp
  }
  detection_feedback: {
    id: string
    rule_id: string
    verdict: 'true_positive' | 'false_positive' | 'needs_tuning'
    alert_id: Optional<string>
    case_id: Optional<string>
    siem_log_id: Optional<string>
    notes: Optional<string>
    metadata: Json<Record<string, unknown>>
    created_by: string
    created_by_id: UserId
    created_at: Timestamp
  }
  detection_hits: {
    rule_id: string
    log_id: string
    is_held: boolean
    counted_run: Optional<string>
    alert_id: Optional<string>
    claimed_at: Timestamp
    event_at: OptionalTime
    is_superseded: Generated<boolean>
  }
  detection_terms: {
    rule_id: string
    term: string
    log_id: Optional<string>
    first_at: OptionalTime
    last_seen_at: Timestamp
  }
  detection_sources: { source_key: string; events: Big; last_event_at: Timestamp }
  detection_starter_rules: {
    id: string
    installed_at: Generated<Date>
    /** The digest of the file, and the version of the rule that it became. */
    file: Optional<string>
    version: Generated<number>
  }
}
