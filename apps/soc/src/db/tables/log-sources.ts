import type { ParserDefinition, ParserSample } from '@manara/soc-contract/parsers'
import type { ReparseExample, ReparseStatus } from '@manara/soc-contract/reparse'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp } from './columns.ts'

type Moment = ColumnType<Date, Date | string, Date | string>
type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type Count = ColumnType<string, number, number>

/** What came of some events that were read again, and where the next ones begin. */
export type ReparseStep = {
  read: number
  changed: number
  failed: number
  examples: ReparseExample[]
  cursor: { at: number; id: string }
}

export type LogSourceTables = {
  log_sources: {
    source: string
    first_received_at: Moment
    last_received_at: Moment
    last_event_at: Moment
    is_announced: Generated<boolean>
    /** When its silence will be told, and when that was found out. */
    expected_by: MaybeMoment
    looked_at: MaybeMoment
    silent_since: MaybeMoment
    alert_id: ColumnType<string | null, string | null | undefined, string | null>
  }
  log_source_hours: {
    source: string
    hour: Moment
    events: Count
    read_events: Count
    lag_ms: Count
    longest_gap_ms: Count
  }
  log_source_minutes: { source: string; minute: Moment; events: Count }
  log_parser_hours: {
    /** Empty for what no parser read. */
    parser: string
    source: string
    hour: Moment
    events: Count
    last_at: Moment
  }
  log_unread_examples: {
    source: string
    place: number
    log_id: string
    message: string
    received_at: Moment
  }
  log_parsers: {
    id: string
    name: string
    description: string
    source: string
    version: number
    enabled_version: ColumnType<number | null, number | null | undefined, number | null>
    created_by: string
    created_at: Timestamp
    updated_by: string
    updated_at: Timestamp
  }
  log_parser_versions: {
    parser_id: string
    version: number
    definition: Json<ParserDefinition>
    samples: Json<ParserSample[]>
    created_by: string
    created_at: Timestamp
  }
  log_reparses: {
    id: string
    source: string
    from_at: MaybeMoment
    to_at: MaybeMoment
    dry_run: boolean
    status: Generated<ReparseStatus>
    total: ColumnType<string | null, never, number>
    read: ColumnType<string, never, number>
    changed: ColumnType<string, never, number>
    failed: ColumnType<string, never, number>
    too_new: ColumnType<string, never, number>
    examples: ColumnType<ReparseExample[], never, string>
    error: ColumnType<string | null, never, string>
    cursor_at: ColumnType<string | null, never, number>
    cursor_id: ColumnType<string | null, never, string>
    /** What is being written; done again and counted once after a kill. */
    pending: ColumnType<ReparseStep | null, never, string | null>
    /** Nothing more is done for it. */
    is_settled: Generated<boolean>
    claimed_by: ColumnType<string | null, never, string | null>
    claimed_until: MaybeMoment
    created_by: string
    created_at: Timestamp
    started_at: MaybeMoment
    finished_at: MaybeMoment
  }
  log_source_watch: {
    one: Generated<boolean>
    beat_at: Moment
    up_since: Moment
    intake_silent_since: MaybeMoment
    intake_alert_id: ColumnType<string | null, string | null | undefined, string | null>
  }
}
