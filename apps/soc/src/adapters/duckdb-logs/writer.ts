import { createQueue } from '@manara/kit/queue'
import type { StoredLog } from '../../ports/log-store.ts'
import { commitLogs } from './append.ts'
import { createCheckpoints } from './checkpoint.ts'
import { goOn, retire } from './current-partition.ts'
import { type DuckdbPacked, dayOf, giveBack, type LogBatch, readPacked } from './packed-logs.ts'
import { rewriteLogs } from './rewrite.ts'
import type { Store, StoreSettings } from './store.ts'

/**
 * Of one call, stored in one transaction or not at all. Of one day: a file goes with its day, so no
 * transaction may hold events of two.
 */
type Waiting = {
  day: number
  batches: LogBatch[]
  /** Which of each, by place, were stored before. */
  resolve(duplicates: number[][]): void
  reject(error: unknown): void
}

/** More in one transaction would keep those who wait behind it waiting too long. */
const COMMIT_EVENTS = 20_000

export type Writer = Awaited<ReturnType<typeof createWriter>>

/** Whoever appends while a transaction is being written to disk shares the next one. */
export async function createWriter(
  store: Store,
  settings: StoreSettings,
  warn: (text: string) => void,
  /** Before that nobody can tell what was stored already. */
  idsLoaded: () => Promise<void>,
) {
  goOn(store, settings)
  const connection = await store.database.connect()
  const waiting: Waiting[] = []
  const queue = createQueue()
  const checkpoints = createCheckpoints(store, settings, connection, warn, () => {
    void queue.run(checkpoints.begin)
  })

  async function writeGroup() {
    const group = takeGroup(waiting)
    try {
      await idsLoaded()
      const duplicates = await commitLogs(
        store,
        settings,
        connection,
        group.flatMap(({ batches }) => batches),
      )
      for (const { batches, resolve } of group) resolve(duplicates.splice(0, batches.length))
    } catch (error) {
      for (const { reject } of group) reject(error)
    } finally {
      for (const { batches } of group) for (const batch of batches) giveBack(batch)
    }
    // Those whose events are safe do not wait for it.
    await checkpoints.begin()
  }

  /** All events came in on one day; answers which of each batch, by place, were stored before. */
  const append = (day: number, batches: LogBatch[]) =>
    new Promise<number[][]>((resolve, reject) => {
      waiting.push({ day, batches, resolve, reject })
      void queue.run(writeGroup)
    })

  return {
    append,
    /** Between appends; answers how many were there. */
    rewrite: (logs: StoredLog[]) =>
      queue.run(async () => {
        await checkpoints.idle()
        return rewriteLogs(store, settings, connection, logs)
      }),
    /** The next events go to a new partition. */
    retire: () => queue.run(() => retire(store, connection)),
    /** Once all that waits is written. */
    async close() {
      await queue.run(checkpoints.finish)
      connection.closeSync()
    },
  }
}

/** The parts of a day one after the other; answers which of each, by place, were stored before. */
export async function appendParts(writer: Pick<Writer, 'append'>, parts: DuckdbPacked[]) {
  const days = Map.groupBy(parts.map(readPacked), ({ received }) => dayOf(received[0] ?? 0))
  const known = await Promise.all([...days].map(([day, batches]) => writer.append(day, batches)))
  return known.flat()
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let events = 0
  let count = 0
  for (const { day, batches } of waiting) {
    const rows = batches.reduce((sum, batch) => sum + batch.rows, 0)
    const isFull = events + rows > COMMIT_EVENTS
    if (count > 0 && (isFull || day !== waiting[0]?.day)) break
    events += rows
    count += 1
  }
  return waiting.splice(0, count)
}
