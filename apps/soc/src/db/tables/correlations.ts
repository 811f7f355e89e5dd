import type {
  CorrelationEvidence,
  CorrelationRule,
  SignalKind,
} from '@manara/soc-contract/correlations'
import type { Severity } from '@manara/soc-contract/severity'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type CorrelationTables = {
  correlation_rules: {
    id: string
    name: string
    description: Optional<string>
    enabled: boolean
    severity: Severity
    same: CorrelationRule['same']
    within_minutes: number
    anchor: Json<CorrelationRule['anchor']>
    others: Json<CorrelationRule['others']>
    is_shipped: Generated<boolean>
    created_by: string
    created_at: Timestamp
    updated_at: Timestamp
  }
  correlations: {
    id: string
    rule_id: Optional<string>
    /** Place and anchor: what makes it the same when it is found again. */
    key: string
    rule_name: string
    title: string
    severity: Severity
    why: string
    site_id: Optional<string>
    zone: Optional<string>
    host: Optional<string>
    first_at: Timestamp
    last_at: Timestamp
    evidence: Json<CorrelationEvidence[]>
    evidence_count: number
    created_at: Timestamp
    updated_at: Timestamp
  }
  correlation_signals: {
    kind: SignalKind
    record_id: string
    minute: string
    at: Timestamp
    is_done: Generated<boolean>
  }
}
