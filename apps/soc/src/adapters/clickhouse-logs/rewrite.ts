import { unavailable } from '@manara/kit/errors'
import type { LogStore, StoredLog } from '../../ports/log-store.ts'
import type { Cluster } from './cluster.ts'
import { forgetCounts, recount } from './recount.ts'
import { dayOf, toRow } from './rows.ts'
import {
  COLUMN_NAMES,
  CREATE_NEXT,
  CREATE_REREAD,
  IDS_TABLE,
  LOCAL,
  NEXT,
  REREAD,
} from './schema.ts'
import type { Server } from './server.ts'

const HOUR_MS = 3_600_000
const MOST_TRIES = 5
const PLACE = 'id, received_at'

/**
 * ClickHouse changes rows only by writing whole parts again, and never their place in the order. So
 * other readings are stored beside the events, and in the end each day is written anew as a whole
 * and put in the place of the old one, which is one step for whoever searches. A day to which events
 * still come cannot be replaced like that without losing some: it has to be over.
 */
export function createRewrite(
  cluster: Pick<Cluster, 'servers' | 'steady'>,
  /** Between the inserts of this process. */
  pause: <T>(work: () => Promise<T>) => Promise<T>,
  now: () => number,
): Pick<LogStore, 'rewrite' | 'finishRewrite'> {
  const isOver = ({ received_at }: StoredLog) => dayOf(received_at) < dayOf(now() - HOUR_MS)

  /** Every server is told of all of them: an event may lie on any while others were away. */
  async function rewrite(logs: StoredLog[]) {
    const chosen = logs.filter(isOver)
    const rows = chosen.map((log) => ({ ...toRow(log), written: now() }))
    if (rows.length > 0) {
      for (const server of cluster.servers) {
        await server.command(CREATE_REREAD)
        await server.insert(REREAD, rows)
      }
    }
    return { rewritten: chosen.length, tooNew: logs.length - chosen.length }
  }

  async function finishRewrite() {
    for (const server of cluster.servers) {
      await server.command(CREATE_REREAD)
      for (const day of await daysOf(server)) await replaceDay(server, day)
      await server.command(`DROP TABLE IF EXISTS ${NEXT}`)
    }
  }

  async function replaceDay(server: Server, day: string) {
    // Ids are looked for at the time of their event, also while they may be sent again.
    await server.command(`INSERT INTO ${IDS_TABLE}
      SELECT received_day, id, at FROM ${REREAD} WHERE received_day = '${day}'`)
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await buildNext(server, day)
      const isReplaced = await pause(async () => {
        const [before, after] = [
          await countOf(server, LOCAL, day),
          await countOf(server, NEXT, day),
        ]
        if (before !== after) return false
        await cluster.steady.change(async () => {
          await forgetCounts(server, day)
          await server.command(`ALTER TABLE ${LOCAL} REPLACE PARTITION '${day}' FROM ${NEXT}`)
        })
        return true
      })
      if (!isReplaced) continue
      await recount(server, day)
      await server.command(`ALTER TABLE ${REREAD} DROP PARTITION '${day}'`)
      return
    }
    throw unavailable(`events of ${day} still come in at ${server.name}: it is tried again later`)
  }

  return { rewrite, finishRewrite }
}

async function daysOf(server: Server): Promise<string[]> {
  const rows = await server.select<{ day: string }>(`SELECT DISTINCT partition AS day
    FROM system.parts WHERE active AND database = currentDatabase() AND table = '${REREAD}'`)
  return rows.map(({ day }) => day).toSorted()
}

async function buildNext(server: Server, day: string) {
  const ofDay = `received_day = '${day}'`
  await server.command(`DROP TABLE IF EXISTS ${NEXT}`)
  await server.command(CREATE_NEXT)
  await server.command(`INSERT INTO ${NEXT} (${COLUMN_NAMES}) SELECT ${COLUMN_NAMES} FROM ${LOCAL}
    WHERE ${ofDay} AND (${PLACE}) NOT IN (SELECT ${PLACE} FROM ${REREAD} WHERE ${ofDay})`)
  await server.command(`INSERT INTO ${NEXT} (${COLUMN_NAMES}) SELECT ${COLUMN_NAMES} FROM ${REREAD}
    WHERE ${ofDay} AND (${PLACE}) IN (SELECT ${PLACE} FROM ${LOCAL} WHERE ${ofDay})
    ORDER BY written DESC LIMIT 1 BY ${PLACE}`)
}

async function countOf(server: Server, table: string, day: string): Promise<string | undefined> {
  const [row] = await server.select<{ amount: string }>(
    `SELECT count() AS amount FROM ${table} WHERE received_day = '${day}'`,
  )
  return row?.amount
}
