import type { ColumnType } from 'kysely'
import type { Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type ArrivalTables = {
  arrival_streams: {
    follower: string
    stream: string
    received_until: Timestamp
    seen_at: Timestamp
  }
  arrival_backlog: {
    id: string
    follower: string
    store: string
    received_from: Timestamp
    received_to: Timestamp
    lease_token: Optional<string>
    lease_until: Optional<Date>
  }
}
