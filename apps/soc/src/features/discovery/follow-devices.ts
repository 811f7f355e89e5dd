import type { Logger } from '@manara/kit/logging'
import { createQueue } from '@manara/kit/queue'
import { type Kysely, sql } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import { isAway } from '../../core/mode/is-away.ts'
import type { Mode } from '../../core/mode/mode.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { createWorkers } from '../../db/worker.ts'
import type { LogStore, StoredLog } from '../../ports/log-store.ts'
import { createNotebook, type Noted } from './note-sightings.ts'
import { createPastReader } from './read-past.ts'
import { type RaiseAlert, recordDevices } from './record-devices.ts'
import { recordWrites } from './record-writes.ts'
import { createOnce } from './tell-once.ts'

const AT_ONCE = 200
const POLL_MS = 1_000
const GAP_MS = 250

/**
 * Devices in events that arrive. What is noted is stored a moment later; beside it the events are read
 * that came in before this process, so that one that dies misses none.
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
  const { db, database, mode, log, logs, now, internalWorkflow } = deps
  const notebook = createNotebook(now)
  const earlier = createNotebook(now)
  const storing = createQueue()
  const ending = new AbortController()
  const workers = createWorkers({
    isReady: () => database.isAvailable() && mode.runsPipelines,
    log,
  })

  const recorder = workers.add({ pass: storeNoted, pollMs: POLL_MS, gapMs: GAP_MS })
  const past = createPastReader({
    ...{ logs, now, signal: ending.signal },
    progress: { read: () => readProgress(db), keep: (until) => keepProgress(db, until) },
    take: storePast,
  })
  const once = createOnce({ since: now(), isPastRead: past.isRead })
  // A store of many events takes minutes to read: nobody waits for it, and others need the machine.
  workers.add({
    ...{ pass: past.readOn, pollMs: POLL_MS, gapMs: 0 },
    standsBack: () => !past.isRead(),
  })

  async function storeNoted(): Promise<boolean> {
    const left = notebook.takeLeft()
    if (left > 0) log.warn({ left }, 'more devices were heard than are looked at')
    if (notebook.isEmpty()) return false
    const readUntil = notebook.readUntil()
    const noted = notebook.take(AT_ONCE)
    try {
      await store(noted, (tx) =>
        // What came in before is read from where it was left, should this process end now.
        notebook.isEmpty() && past.isRead() ? keepProgress(tx, readUntil) : undefined,
      )
      notebook.stored(noted)
    } catch (error) {
      if (isAway(error)) notebook.putBack(noted)
      throw error
    }
    return !notebook.isEmpty()
  }

  /** What was counted before may be counted again: only who writes is learnt here. */
  async function storePast(batch: StoredLog[]) {
    const first = once.take(batch)
    earlier.note(first, 0)
    try {
      while (!earlier.isEmpty()) {
        const noted = earlier.take(AT_ONCE)
        await store(noted)
        earlier.stored(noted)
      }
    } catch (error) {
      once.putBack(first)
      throw error
    }
  }

  /** In turn: who is new in an event of before and in one of now is new once. */
  const store = (noted: Noted, then?: (tx: Kysely<Tables>) => Promise<unknown> | undefined) =>
    storing.run(() =>
      internalWorkflow(async (change) => {
        const { refused } = await recordDevices(deps.raiseAlert, change, noted.devices)
        await recordWrites(deps.raiseAlert, change, noted.writes)
        if (refused > 0)
          log.warn({ refused }, 'devices were heard but not kept: there are too many')
        await then?.(change.tx)
      }),
    )

  return {
    onPicked(logs: StoredLog[], receivedAt: number) {
      notebook.note(once.take(logs), receivedAt)
      if (!notebook.isEmpty()) recorder.wake()
    },
    start: workers.start,
    async stop() {
      ending.abort()
      await workers.stop()
    },
  }
}

async function readProgress(db: Kysely<Tables>): Promise<number | undefined> {
  const progress = await db.selectFrom('discovery_progress').selectAll().executeTakeFirst()
  return progress?.read_until.getTime()
}

const keepProgress = (tx: Kysely<Tables>, until: number) =>
  sql`INSERT INTO discovery_progress (read_until) VALUES (${new Date(until)})
    ON CONFLICT (one) DO UPDATE SET
      read_until = greatest(discovery_progress.read_until, excluded.read_until)`.execute(tx)
