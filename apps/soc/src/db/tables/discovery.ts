import type { ColumnType } from 'kysely'
import type { Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type DiscoveryTables = {
  discovery_networks: {
    id: string
    network: string
    site_id: string
    zone: string
    purdue_level: Optional<number>
    /** New devices are no alert before. */
    quiet_until: Timestamp
    created_by: string
    created_at: Timestamp
  }
  discovery_writers: {
    id: string
    device_id: string
    address: string
    protocol: string
    writes: ColumnType<string, number, number>
    is_usual: boolean
    accepted_by: Optional<string>
    first_at: Timestamp
    last_at: Timestamp
    last_command: string
    alerted_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  discovery_progress: { one: boolean; read_until: Timestamp }
}
