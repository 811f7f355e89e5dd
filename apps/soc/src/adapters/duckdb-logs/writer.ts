import { createQueue } from '@manara/kit/queue'
import type { StoredLog } from '../../ports/log-store.ts'
import { commitLogs } from './append.ts'
import { retire } from './current-partition.ts'
import { dayOf, giveBack, type LogBatch } from './packed-logs.ts'
import { rewriteLogs } from './rewrite.ts'
import type { Store, StoreSettings } from './store.ts'

/** Of one day: a file goes with its day, so no transaction may hold events of two. */
type Waiting = {
  day: number
  batch: LogBatch
  /** Which of them, by place, were stored before. */
  resolve(duplicates: number[]): void
  reject(error: unknown): void
}

/** More in one transaction would keep those who wait behind it waiting too long. */
const COMMIT_EVENTS = 20_000

/** Whoever appends while a transaction is being written to disk shares the next one. */
export async function createWriter(
  store: Store,
  settings: StoreSettings,
  /** Before that nobody can tell what was stored already. */
  idsLoaded: () => Promise<void>,
) {
  const connection = await store.database.connect()
  const waiting: Waiting[] = []
  const queue = createQueue()

  async function writeGroup() {
    const group = takeGroup(waiting)
    try {
      await idsLoaded()
      const duplicates = await commitLogs(
        store,
        settings,
        connection,
        group.map(({ batch }) => batch),
      )
      for (const [at, { resolve }] of group.entries()) resolve(duplicates[at] ?? [])
    } catch (error) {
      for (const { reject } of group) reject(error)
    } finally {
      for (const { batch } of group) giveBack(batch)
    }
  }

  /** All events of the batch came in on one day; answers which of them were stored before. */
  const append = (batch: LogBatch) =>
    new Promise<number[]>((resolve, reject) => {
      waiting.push({ day: dayOf(batch.received[0] ?? 0), batch, resolve, reject })
      void queue.run(writeGroup)
    })

  return {
    append,
    /** Between appends; answers how many were there. */
    rewrite: (logs: StoredLog[]) => queue.run(() => rewriteLogs(store, settings, connection, logs)),
    /** The next events go to a new partition. */
    retire: () => queue.run(() => retire(store, connection)),
    /** Once all that waits is written. */
    idle: queue.idle,
    close: () => connection.closeSync(),
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let events = 0
  let count = 0
  for (const { day, batch } of waiting) {
    const isFull = events + batch.rows > COMMIT_EVENTS
    if (count > 0 && (isFull || day !== waiting[0]?.day)) break
    events += batch.rows
    count += 1
  }
  return waiting.splice(0, count)
}
