import type { ParserDefinition, ParserSample } from '@manara/soc-contract/parsers'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp } from './columns.ts'

type Moment = ColumnType<Date, Date | string, Date | string>
type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type Count = ColumnType<string, number, number>

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
  log_source_watch: {
    one: Generated<boolean>
    beat_at: Moment
    up_since: Moment
    intake_silent_since: MaybeMoment
    intake_alert_id: ColumnType<string | null, string | null | undefined, string | null>
  }
}
