import { randomUUIDv7 } from 'node:crypto'
import type { ReportedEndpoint } from '@manara/soc-contract/edr-api'
import { sql } from 'kysely'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import type { EdrClient } from '../../ports/edr-client.ts'
import { type EndpointRow, toEndpoint } from './endpoint-record.ts'

export type PollDeps = { client: EdrClient; now(): Date } & Pick<Changes, 'internalWorkflow'>

/** Brings the inventory up to what the EDR reports; answers whether an endpoint has come online. */
export async function pollInventory(deps: PollDeps): Promise<boolean> {
  const began = deps.now()
  const seen = new Set<string>()
  let hasComeOnline = false
  // All of it first: an inventory that is never there in full leaves nothing behind.
  const pages: ReportedEndpoint[][] = []
  for await (const page of deps.client.endpoints()) pages.push(page)
  for (const page of pages) {
    const reported = [...new Map(page.map((endpoint) => [endpoint.id, endpoint])).values()]
    for (const { id } of reported) seen.add(id)
    const cameOnline = await deps.internalWorkflow((change) => take(change, reported, began))
    hasComeOnline ||= cameOnline
  }
  await deps.internalWorkflow((change) => markMissing(change, [...seen]))
  return hasComeOnline
}

async function take(change: ChangeContext, reported: ReportedEndpoint[], began: Date) {
  if (reported.length === 0) return false
  const rows = sql`jsonb_to_recordset(${JSON.stringify(reported.map(toRow))}::jsonb) AS reported(
    id uuid, external_id text, hostname text, ips text[], os_name text, os_version text,
    os_arch text, agent_version text, status text, isolation text, labels text[],
    last_seen_at timestamptz)`
  // A host that the logs have shown first, and nobody else has taken, is this one.
  await sql`
    UPDATE edr_endpoints SET external_id = reported.external_id FROM ${rows}
    WHERE edr_endpoints.external_id IS NULL
      AND lower(edr_endpoints.hostname) = lower(reported.hostname)
      AND NOT EXISTS (SELECT FROM edr_endpoints AS taken
        WHERE taken.external_id = reported.external_id)`.execute(change.tx)
  const before = await knownOf(change, reported)
  // A page that was read before a command ended must not undo what the command has set.
  const { rows: after } = await sql<EndpointRow>`
    INSERT INTO edr_endpoints AS known (id, external_id, hostname, ips, os_name, os_version,
      os_arch, agent_version, status, isolation, labels, first_seen_at, last_seen_at)
    SELECT id, external_id, hostname, ips, os_name, os_version, os_arch, agent_version, status,
      isolation, labels, last_seen_at, last_seen_at FROM ${rows}
    ON CONFLICT (external_id) DO UPDATE SET hostname = excluded.hostname, ips = excluded.ips,
      os_name = excluded.os_name, os_version = excluded.os_version, os_arch = excluded.os_arch,
      agent_version = excluded.agent_version, status = excluded.status, labels = excluded.labels,
      is_listed = true,
      last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at),
      isolation = CASE WHEN known.isolation IN ('pending', 'releasing') OR EXISTS (
          SELECT FROM edr_actions WHERE endpoint_id = known.id AND completed_at >= ${began}
        ) THEN known.isolation ELSE excluded.isolation END
    RETURNING *`.execute(change.tx)
  let hasComeOnline = false
  for (const row of after) {
    const old = before.get(row.external_id ?? '')
    if (row.status === 'online' && old?.status !== 'online') hasComeOnline = true
    if (old?.status !== row.status || old.isolation !== row.isolation) {
      await change.publish('endpoint.updated', toEndpoint(row))
    }
  }
  return hasComeOnline
}

async function knownOf({ tx }: ChangeContext, reported: ReportedEndpoint[]) {
  const rows = await tx
    .selectFrom('edr_endpoints')
    .select(['external_id', 'status', 'isolation'])
    .where(sql<boolean>`external_id = ANY(${reported.map(({ id }) => id)})`)
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.external_id, row]))
}

/** What the EDR no longer lists is not known to be up. */
async function markMissing(change: ChangeContext, seen: string[]) {
  await change.tx
    .updateTable('edr_endpoints')
    .set({ is_listed: false })
    .where('is_listed', '=', true)
    .where(sql<boolean>`external_id <> ALL(${seen})`)
    .execute()
  const gone = await change.tx
    .updateTable('edr_endpoints')
    .set({ status: 'offline' })
    .where('status', '=', 'online')
    .where(sql<boolean>`external_id <> ALL(${seen})`)
    .returningAll()
    .execute()
  for (const row of gone) await change.publish('endpoint.updated', toEndpoint(row))
}

const toRow = ({ id, os, ...endpoint }: ReportedEndpoint) => ({
  ...endpoint,
  id: randomUUIDv7(),
  external_id: id,
  os_name: os.name,
  os_version: os.version,
  os_arch: os.arch,
})
