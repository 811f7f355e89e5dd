import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '@manara/kit/errors'
import type { LogStore, Retention } from '../../ports/log-store.ts'
import { createLiterals } from './binding.ts'
import type { Cluster } from './cluster.ts'
import { countedDays } from './count-keys.ts'
import { forgetCounts, recount } from './recount.ts'
import { dayOf } from './rows.ts'
import { COUNTS, IDS_TABLE, LOCAL } from './schema.ts'
import type { Server } from './server.ts'

const DAY_MS = 86_400_000
/** Ids are asked for within a day. */
const ID_DAYS = 2
/** The next try comes within the hour. */
const MOST_MS = 10 * 60_000

type Day = { day: string; rows: string; bytes: string }

/**
 * Days that are over for every source go as whole partitions. Where sources differ, what is over is
 * deleted out of the days that others still need. Of servers that are away nothing is dropped until
 * the next time.
 */
export async function retain(
  { servers }: Cluster,
  retention: Retention,
  now: number,
  /** For so long a server may take to delete events out of its days. */
  mostMs = MOST_MS,
): ReturnType<LogStore['retain']> {
  const dropped = await Promise.all(
    servers
      .filter((server) => server.isUp())
      .map((server) => retainOn(server, retention, now, mostMs)),
  )
  return { dropped: dropped.reduce((sum, count) => sum + count, 0) }
}

async function retainOn(
  server: Server,
  retention: Retention,
  now: number,
  mostMs: number,
): Promise<number> {
  const kept = Object.values(retention.daysBySource)
  let dropped = 0
  if (retention.days !== undefined) {
    const longest = Math.max(retention.days, ...kept)
    dropped += await dropDays(
      server,
      (await daysOf(server)).filter(({ day }) => isOver(day, longest, now)),
    )
  }
  const [deletion] = await Promise.allSettled([deleteOver(server, retention, now, mostMs)])
  // Whether or not it could: days go without it, which makes the room that it may lack.
  if (retention.bytes !== undefined) dropped += await dropToSize(server, retention.bytes)
  await dropIds(server, now)
  await countAnew(server, now)
  if (deletion.status === 'rejected') throw deletion.reason
  return dropped + deletion.value
}

const isOver = (day: string, days: number, now: number) =>
  Date.parse(`${day}T00:00:00Z`) + DAY_MS <= now - days * DAY_MS

function daysOf(server: Server): Promise<Day[]> {
  return server.select<Day>(`SELECT partition AS day, sum(rows) AS rows, sum(bytes_on_disk) AS bytes
    FROM system.parts WHERE active AND database = currentDatabase() AND table = '${LOCAL}'
    GROUP BY partition ORDER BY partition`)
}

async function dropDays(server: Server, days: Day[]): Promise<number> {
  for (const { day } of days) {
    await server.command(`ALTER TABLE ${LOCAL} DROP PARTITION '${day}'`)
    await forgetCounts(server, day)
  }
  return days.reduce((sum, { rows }) => sum + Number(rows), 0)
}

/** The oldest days, until the rest fits; the running day stays. */
async function dropToSize(server: Server, bytes: number): Promise<number> {
  const days = await daysOf(server)
  let size = days.reduce((sum, day) => sum + Number(day.bytes), 0)
  const over = days.slice(0, -1).filter((day) => {
    if (size <= bytes) return false
    size -= Number(day.bytes)
    return true
  })
  return dropDays(server, over)
}

async function deleteOver(
  server: Server,
  retention: Retention,
  now: number,
  mostMs: number,
): Promise<number> {
  const { bind } = createLiterals()
  const before = (days: number) => `'${dayOf(now - days * DAY_MS)}'`
  const own = Object.entries(retention.daysBySource)
  const names = own.map(([source]) => bind(source)).join(', ')
  const conditions = own.map(
    ([source, days]) => `(source = ${bind(source)} AND received_day < ${before(days)})`,
  )
  if (retention.days !== undefined && own.length > 0) {
    conditions.push(`(source NOT IN (${names}) AND received_day < ${before(retention.days)})`)
  }
  if (conditions.length === 0) return 0
  const over = conditions.join(' OR ')
  const [row] = await server.select<{ amount: string }>(
    `SELECT count() AS amount FROM ${LOCAL} WHERE ${over}`,
  )
  const amount = Number(row?.amount)
  if (amount === 0) return 0
  const until = performance.now() + mostMs
  for (const table of [LOCAL, COUNTS]) {
    // One that was asked for before and has not ended comes first: more of them would pile up.
    await mutationsDone(server, table, until)
    await server.command(`ALTER TABLE ${table} DELETE WHERE ${over}`)
    await mutationsDone(server, table, until)
  }
  return amount
}

/** Such a DELETE rewrites parts in the background; there is nothing to wait on but to look again. */
async function mutationsDone(server: Server, table: string, until: number): Promise<void> {
  for (let wait = 20; ; wait = Math.min(wait * 2, 1_000)) {
    const [row] = await server.select<{ amount: string }>(`SELECT count() AS amount
      FROM system.mutations WHERE database = currentDatabase() AND table = '${table}' AND NOT is_done`)
    if (Number(row?.amount) === 0) return
    if (performance.now() > until) {
      throw unavailable(
        `ClickHouse at ${server.name} does not come to delete events of ${table}: look at its disk and system.mutations`,
      )
    }
    await pause(wait)
  }
}

async function dropIds(server: Server, now: number): Promise<void> {
  const days = await server.select<{ day: string }>(`SELECT DISTINCT partition AS day
    FROM system.parts WHERE active AND database = currentDatabase() AND table = '${IDS_TABLE}'`)
  for (const { day } of days.filter((one) => isOver(one.day, ID_DAYS, now))) {
    await server.command(`ALTER TABLE ${IDS_TABLE} DROP PARTITION '${day}'`)
  }
}

/** Counts of days that are over and are not whole: the server died, or they are older than counting. */
async function countAnew(server: Server, now: number): Promise<void> {
  const whole = await countedDays(server)
  for (const { day } of await daysOf(server)) {
    if (isOver(day, 0, now) && !whole.includes(day)) await recount(server, day)
  }
}
