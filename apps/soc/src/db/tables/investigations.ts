import type {
  Conclusion,
  InvestigationRecord,
  InvestigationStatus,
  Progress,
  Verdict,
} from '@manara/soc-contract/investigation'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export type InvestigationTables = {
  investigations: {
    id: string
    status: InvestigationStatus
    request: Json<InvestigationRecord['request']>
    requested_by: string
    progress: OptionalJson<Progress>
    conclusion: OptionalJson<Conclusion>
    verdict: Optional<Verdict>
    error: Optional<string>
    attempts: Generated<number>
    owner: Optional<string>
    lease_until: Optional<Date>
    created_at: Timestamp
    updated_at: Timestamp
    completed_at: Optional<Date>
  }
  baseline_days: {
    day: string
    hosts: Generated<number>
    /** bigint: arrives as text, is written as a number. */
    events: ColumnType<string, number | undefined, number>
    is_partial: Generated<boolean>
    lease_until: Optional<Date>
    learnt_at: Optional<Date>
  }
  baseline_features: { day: string; feature: string; hosts: number }
}
