import type { Endpoint } from '@manara/soc-contract/edr'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'

export type EndpointRow = Selectable<Tables['edr_endpoints']>

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    hostname: row.hostname,
    ips: row.ips,
    os: { name: row.os_name, version: row.os_version, arch: row.os_arch },
    agent_version: row.agent_version,
    status: row.status,
    isolation: row.isolation,
    labels: row.labels,
    site_id: row.site_id,
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }
}
