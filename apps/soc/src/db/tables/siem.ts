import type { HuntFields, HuntRun } from '@manara/soc-contract/hunts'
import type { Role } from '@manara/soc-contract/permissions'
import type { ColumnType } from 'kysely'
import type { Timestamp, UserId } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
/** bigint: arrives as text, is written as a number. */
type Big = ColumnType<string, number, number>

export type SiemTables = {
  hunts: {
    id: string
    title: string
    description: string
    query: string
    source: Optional<string>
    severity: Optional<string>
    host: Optional<string>
    sharing_mode: HuntFields['sharing_mode']
    shared_with_roles: Role[]
    tags: string[]
    last_run_at: Optional<Date>
    last_match_count: ColumnType<string | null, number | null | undefined, number>
    created_by: string
    created_by_id: UserId
    created_at: Timestamp
    updated_at: Timestamp
  }
  hunt_runs: {
    id: string
    hunt_id: string
    run_by: string
    match_count: Big
    is_count_exact: boolean
    partial: ColumnType<HuntRun['partial'], string | null, never>
    searched_from: Optional<Date>
    searched_to: Optional<Date>
    duration_ms: number
    started_at: Timestamp
  }
}
