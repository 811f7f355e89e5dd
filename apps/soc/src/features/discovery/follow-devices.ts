import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { parseQuery } from '@manara/log-query/parse'
import { type Kysely, sql } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Mode } from '../../core/mode/mode.ts'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { createWorkers } from '../../db/worker.ts'
import type { LogStore, StoredLog } from '../../ports/log-store.ts'
import { createNotebook } from './note-sightings.ts'
import { type RaiseAlert, recordDevices } from './record-devices.ts'
import { recordWrites } from './record-writes.ts'

const AT_ONCE = 200
const POLL_MS = 1_000
const GAP_MS = 250
const DAY = 86_400_000
const FIRST_READ_DAYS = 7
// Another process may have acknowledged what came in shortly before: it is read twice rather than never.
const OVERLAP_MS = 60_000
const READING_MS = 10 * 60_000
const SPOKEN_OF =
  'modbus OR dnp3 OR s7comm OR bacnet OR opcua OR opcua_binary OR enip OR mqtt OR dhcp OR DHCPACK'

/**
 * Devices in events that arrive. What is noted is stored a moment later; at the start the events are
 * read that came in since, so that a process that dies misses none.
 */
export function followDevices(
  deps: {
    db: Kysely<Tables>
    database: Pick<Database, 'isAvailable'>
    mode: Mode
    log: Logger
    logs: Pick<LogStore, 'scan'>
    raiseAlert: RaiseAlert
    now(): number
  } & Pick<Changes, 'internalWorkflow'>,
) {
  const { db, database, mode, log, now, internalWorkflow } = deps
  const notebook = createNotebook(now)
  const ending = new AbortController()
  let isCaughtUp = false
  const workers = createWorkers({
    isReady: () => database.isAvailable() && mode.runsPipelines,
    log,
  })

  const recorder = workers.add({ pass: storeNoted, pollMs: POLL_MS, gapMs: GAP_MS })

  async function storeNoted(): Promise<boolean> {
    if (!isCaughtUp) await catchUp()
    const left = notebook.takeLeft()
    if (left > 0) log.warn({ left }, 'more devices were heard than are looked at')
    if (notebook.isEmpty()) return false
    const readUntil = notebook.readUntil()
    const noted = notebook.take(AT_ONCE)
    try {
      await internalWorkflow(async (change) => {
        const { refused } = await recordDevices(deps.raiseAlert, change, noted.devices)
        await recordWrites(deps.raiseAlert, change, noted.writes)
        if (refused > 0)
          log.warn({ refused }, 'devices were heard but not kept: there are too many')
        if (notebook.isEmpty()) await keepProgress(change.tx, readUntil)
      })
      notebook.stored(noted)
    } catch (error) {
      if (isAway(error)) notebook.putBack(noted)
      throw error
    }
    return !notebook.isEmpty()
  }

  /** Of the time before this process; the log store being away is no reason to give up. */
  async function catchUp() {
    const progress = await db.selectFrom('discovery_progress').selectAll().executeTakeFirst()
    const from = progress
      ? progress.read_until.getTime() - OVERLAP_MS
      : now() - FIRST_READ_DAYS * DAY
    const parsed = parseQuery(SPOKEN_OF, now())
    if (!parsed.ok) throw new Error(parsed.error.message)
    const batches = deps.logs.scan(
      { query: parsed.query, time: {}, received: { from } },
      { signal: ending.signal, timeLimitMs: READING_MS },
    )
    for await (const logs of batches) {
      notebook.note(logs, logs.at(-1)?.received_at ?? 0)
      while (notebook.isEmpty() === false) {
        const noted = notebook.take(AT_ONCE)
        await internalWorkflow(async (change) => {
          await recordDevices(deps.raiseAlert, change, noted.devices)
          // What was counted before may be counted again: only who writes is learnt here.
          await recordWrites(deps.raiseAlert, change, noted.writes)
        })
        notebook.stored(noted)
      }
    }
    isCaughtUp = true
    await keepProgress(db, now())
  }

  return {
    onPicked(logs: StoredLog[], receivedAt: number) {
      notebook.note(logs, receivedAt)
      if (!notebook.isEmpty()) recorder.wake()
    },
    start: workers.start,
    async stop() {
      ending.abort()
      await workers.stop()
    },
  }
}

const keepProgress = (tx: Kysely<Tables>, until: number) =>
  sql`INSERT INTO discovery_progress (read_until) VALUES (${new Date(until)})
    ON CONFLICT (one) DO UPDATE SET
      read_until = greatest(discovery_progress.read_until, excluded.read_until)`.execute(tx)

const isAway = (error: unknown) =>
  isConnectionFailure(error) || (error instanceof AppError && error.status === 503)
