import { createQueue } from '@manara/kit/queue'
import type { StoredLog } from '../../ports/log-store.ts'
import { commitLogs } from './append.ts'
import { retire } from './current-partition.ts'
import { rewriteLogs } from './rewrite.ts'
import type { Store, StoreSettings } from './store.ts'

type Waiting = {
  logs: StoredLog[]
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
        group.map(({ logs }) => logs),
      )
      for (const [at, { resolve }] of group.entries()) resolve(duplicates[at] ?? [])
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return {
    append: (logs: StoredLog[]) =>
      new Promise<number[]>((resolve, reject) => {
        waiting.push({ logs, resolve, reject })
        void queue.run(writeGroup)
      }),
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
  for (const { logs } of waiting) {
    if (count > 0 && events + logs.length > COMMIT_EVENTS) break
    events += logs.length
    count += 1
  }
  return waiting.splice(0, count)
}
