import { randomUUIDv7 } from 'node:crypto'
import type { Logger } from '@manara/kit/logging'
import { createQueue } from '@manara/kit/queue'
import { sql } from 'kysely'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { StoredLog } from '../../ports/log-store.ts'
import { COLLECTOR_FIELD } from './collector-field.ts'
import { storeCollectors } from './collectors.ts'
import { type EndpointRow, toEndpoint } from './endpoint-record.ts'
import { type HostSighting, hostSighting } from './host-sighting.ts'

const MOST_WAITING = 5_000
const MOST_REMEMBERED = 50_000

export type HostLearner = {
  /** Takes note and returns at once. */
  onStored(logs: StoredLog[]): void
  /** Writes what was noted; resolves when that is done. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** A host that talks all day is written once in `refreshMs`, a new one within `flushMs`. */
export function createHostLearner(
  deps: { log: Logger; now(): number; flushMs: number; refreshMs: number } & Pick<
    Changes,
    'internalWorkflow'
  >,
): HostLearner {
  const waiting = new Map<string, HostSighting>()
  const collectors = new Set<string>()
  const writtenAt = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const writing = createQueue()
  let stopped = false

  function onStored(logs: StoredLog[]) {
    if (stopped) return
    const fresh = deps.now() - deps.refreshMs
    for (const log of logs) {
      noteCollector(log, fresh)
      if (log.host === null || (writtenAt.get(log.host) ?? 0) > fresh) continue
      note(log)
    }
    if (waiting.size + collectors.size > 0)
      timer ??= setTimeout(() => void flush(), deps.flushMs).unref()
  }

  function noteCollector({ fields }: StoredLog, fresh: number) {
    const name = fields[COLLECTOR_FIELD]
    if (typeof name !== 'string' || name.length > 255 || collectors.size >= MOST_WAITING) return
    const key = name.toLowerCase()
    if ((writtenAt.get(`${COLLECTOR_FIELD} ${key}`) ?? 0) <= fresh) collectors.add(key)
  }

  function note(log: StoredLog) {
    const sighting = hostSighting(log)
    if (!sighting) return
    const key = sighting.hostname.toLowerCase()
    const before = waiting.get(key)
    if (!before && waiting.size >= MOST_WAITING) return
    waiting.set(key, before ? joined(before, sighting) : sighting)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const sightings = [...waiting.values()]
    const names = [...collectors]
    waiting.clear()
    collectors.clear()
    return sightings.length + names.length > 0
      ? writing.run(() => write(sightings, names))
      : writing.idle()
  }

  async function write(sightings: HostSighting[], names: string[]) {
    if (writtenAt.size > MOST_REMEMBERED) writtenAt.clear()
    try {
      await deps.internalWorkflow(async (change) => {
        if (sightings.length > 0) await storeSightings(change, sightings)
        if (names.length > 0) await storeCollectors(change.tx, names, new Date(deps.now()))
      })
      for (const name of names) writtenAt.set(`${COLLECTOR_FIELD} ${name}`, deps.now())
      for (const { hostname } of sightings) writtenAt.set(hostname, deps.now())
    } catch (error) {
      // The host will be in the logs again.
      if (!isConnectionFailure(error)) deps.log.warn({ err: error }, 'hosts were not learnt')
    }
  }

  return {
    onStored,
    flush,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await writing.idle()
    },
  }
}

const joined = (a: HostSighting, b: HostSighting): HostSighting => ({
  hostname: a.hostname,
  ips: [...new Set([...a.ips, ...b.ips])].slice(0, 20),
  os: a.os ?? b.os,
  seenAt: Math.max(a.seenAt, b.seenAt),
})

/**
 * One with an agent is only seen again: what the EDR reports about it counts for more. Of names that
 * only the database takes for one (İ and i, σ and ς) the one that was seen last is written.
 */
async function storeSightings(change: ChangeContext, sightings: HostSighting[]) {
  const rows = sql`jsonb_to_recordset(${JSON.stringify(
    sightings.map(({ hostname, ips, os, seenAt }) => ({
      id: randomUUIDv7(),
      hostname,
      ips,
      os_name: os,
      seen_at: new Date(Math.min(seenAt, Date.now())).toISOString(),
    })),
  )}::jsonb) AS seen(id uuid, hostname text, ips text[], os_name text, seen_at timestamptz)`
  await sql`
    UPDATE edr_endpoints SET last_seen_at = seen.seen_at FROM ${rows}
    WHERE external_id IS NOT NULL AND lower(edr_endpoints.hostname) = lower(seen.hostname)
      AND last_seen_at < seen.seen_at`.execute(change.tx)
  const { rows: learnt } = await sql<EndpointRow & { is_new: boolean }>`
    INSERT INTO edr_endpoints AS known
      (id, hostname, ips, os_name, status, first_seen_at, last_seen_at)
    SELECT DISTINCT ON (lower(hostname))
      id, hostname, ips, os_name, 'unknown', seen_at, seen_at FROM ${rows}
    WHERE NOT EXISTS (SELECT FROM edr_endpoints AS managed WHERE external_id IS NOT NULL
      AND lower(managed.hostname) = lower(seen.hostname))
    ORDER BY lower(hostname), seen_at DESC
    ON CONFLICT (lower(hostname)) WHERE external_id IS NULL DO UPDATE SET
      last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at),
      os_name = coalesce(known.os_name, excluded.os_name),
      ips = (SELECT coalesce(array_agg(ip), '{}') FROM (
        SELECT DISTINCT ip FROM unnest(known.ips || excluded.ips) AS ip LIMIT 20) AS every)
    RETURNING *, (xmax = 0) AS is_new`.execute(change.tx)
  for (const row of learnt) {
    if (row.is_new) await change.publish('endpoint.created', toEndpoint(row))
  }
}
