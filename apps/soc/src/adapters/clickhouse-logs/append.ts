import { createQueue } from '@manara/kit/queue'
import type { LogStore, StoredLog } from '../../ports/log-store.ts'
import { createLiterals, moment } from './binding.ts'
import type { Cluster } from './cluster.ts'
import { dayOf, toRow } from './rows.ts'
import { IDS_TABLE, LOCAL } from './schema.ts'
import type { Server } from './server.ts'

const DAY_MS = 86_400_000

type Waiting = {
  logs: StoredLog[]
  resolve(answer: Awaited<ReturnType<LogStore['append']>>): void
  reject(error: unknown): void
}

/** One insert at a time, of all that came meanwhile: few large parts, and no id meets itself. */
export function createAppend(cluster: Pick<Cluster, 'servers'>) {
  let waiting: Waiting[] = []
  let isBusy = false
  const inserting = createQueue()

  async function work() {
    isBusy = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        const stored = await inserting.run(() =>
          appendAll(
            cluster,
            batch.flatMap(({ logs }) => logs),
          ),
        )
        for (const { logs, resolve } of batch) {
          const kept = logs.filter((log) => stored.delete(log))
          resolve({ stored: kept, duplicates: logs.length - kept.length })
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isBusy = false
  }

  const append: LogStore['append'] = (logs) =>
    new Promise((resolve, reject) => {
      waiting.push({ logs, resolve, reject })
      if (!isBusy) void work()
    })
  /** Does something between inserts. */
  return { append, pause: inserting.run }
}

/**
 * Each event goes to the shard that its id names, so that the same id again meets it there; while
 * that one is away, to the next. Ids are written before the events: what was interrupted between
 * the two is found out by looking for the event itself.
 */
async function appendAll(
  { servers }: Pick<Cluster, 'servers'>,
  logs: StoredLog[],
): Promise<Set<StoredLog>> {
  const first = new Map<string, StoredLog>()
  for (const log of logs) if (!first.has(log.id)) first.set(log.id, log)
  const shards = Map.groupBy(first.values(), ({ id }) => hash(id) % servers.length)
  const stored = await Promise.all(
    [...shards].map(([shard, batch]) => appendFrom(servers, shard, batch)),
  )
  return new Set(stored.flat())
}

async function appendFrom(servers: Server[], shard: number, batch: StoredLog[]) {
  let failure: unknown
  for (const [index] of servers.entries()) {
    const server = servers[(shard + index) % servers.length] as Server
    // Not waiting for one that is known to be away, unless it is the last hope.
    if (!server.isUp() && index < servers.length - 1) continue
    try {
      return await appendTo(server, batch)
    } catch (error) {
      if (server.isUp()) throw error
      failure = error
    }
  }
  throw failure
}

async function appendTo(server: Server, batch: StoredLog[]): Promise<StoredLog[]> {
  await server.settled()
  const known = await storedIds(server, batch)
  const logs = batch.filter(({ id }) => !known.has(id))
  if (logs.length === 0) return []
  await server.insert(
    IDS_TABLE,
    logs.map(({ id, at, received_at }) => ({ received_day: dayOf(received_at), id, at })),
  )
  await server.insert(LOCAL, logs.map(toRow))
  return logs
}

async function storedIds(server: Server, batch: StoredLog[]): Promise<Set<string>> {
  const since =
    batch.reduce((least, { received_at }) => Math.min(least, received_at), Infinity) - DAY_MS
  // Literals: parameters travel in the address, which has no room for thousands of ids.
  const { bind } = createLiterals()
  const ids = batch.map(({ id }) => bind(id)).join(', ')
  const claimed = await server.select<{ id: string; at: string }>(
    `SELECT id, at FROM ${IDS_TABLE} WHERE received_day >= '${dayOf(since)}' AND id IN (${ids})`,
  )
  if (claimed.length === 0) return new Set()
  const places = claimed.map(({ id, at }) => `(toInt64(${Number(at)}), ${bind(id)})`)
  const found = await server.select<{ id: string }>(
    `SELECT id FROM ${LOCAL} WHERE (at, id) IN (${places.join(', ')})
      AND received_at > ${moment(since)}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** FNV-1a: stable over restarts and the same in every process. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
