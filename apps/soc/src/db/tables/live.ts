import type { ColumnType } from 'kysely'
import type { BigSerial, Json, Timestamp } from './columns.ts'

export type LiveTables = {
  outbox: {
    id: BigSerial
    event: string
    data: Json<object>
    created_at: Timestamp
    seq: ColumnType<string | null, never, string>
  }
  outbox_head: { seq: string }
  rate_budgets: { key: string; ends_at: Timestamp; used: number }
}
