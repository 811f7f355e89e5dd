import type { EndpointAction } from '@manara/soc-contract/edr'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'

export type ActionRow = Selectable<Tables['edr_actions']> & { hostname: string }

export function toAction(row: ActionRow): EndpointAction {
  return {
    action_id: row.action_id,
    endpoint_id: row.endpoint_id,
    hostname: row.hostname,
    command: row.command,
    status: row.status,
    simulated: row.simulated,
    adapter: row.adapter,
    requested_by: row.requested_by,
    reason: row.reason,
    detail: row.detail,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
