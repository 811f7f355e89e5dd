import type {
  EndpointActionStatus,
  EndpointCommand,
  EndpointStatus,
  Isolation,
} from '@manara/soc-contract/edr'
import type { ColumnType, Generated } from 'kysely'
import type { Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type EdrTables = {
  /** In small letters. */
  log_collectors: { name: string; first_seen_at: Timestamp; last_seen_at: Timestamp }
  edr_endpoints: {
    id: string
    /** The EDR's own id; null while only the logs have shown it. */
    external_id: Optional<string>
    hostname: string
    ips: string[]
    os_name: Optional<string>
    os_version: Optional<string>
    os_arch: Optional<string>
    agent_version: Optional<string>
    status: EndpointStatus
    isolation: Generated<Isolation>
    labels: Generated<string[]>
    site_id: Optional<string>
    first_seen_at: Timestamp
    last_seen_at: Timestamp
    /** By the EDR, when it was last asked. */
    is_listed: Generated<boolean>
  }
  edr_actions: {
    action_id: string
    endpoint_id: string
    command: EndpointCommand
    status: EndpointActionStatus
    simulated: boolean
    adapter: string
    requested_by: string
    /** Of a caller that may ask twice, as a playbook does that goes on after a crash. */
    request_key: Optional<string>
    reason: Optional<string>
    detail: Optional<string>
    attempts: Generated<number>
    next_attempt_at: Timestamp
    /** When the EDR first took it. */
    sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    created_at: Timestamp
    completed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
}
