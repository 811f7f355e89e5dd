import { createQueue } from '@manara/kit/queue'
import type { StoredLog } from '../../ports/log-store.ts'
import { commitLogs } from './append.ts'
import { retire } from './current-partition.ts'
import { DAY_MS } from './database.ts'
import { rewriteLogs } from './rewrite.ts'
import type { Store, StoreSettings } from './store.ts'

/** Of one day: a file goes with its day, so no transaction may hold events of two. */
type Waiting = {
  day: number
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

  const write = (day: number, logs: StoredLog[]) =>
    new Promise<number[]>((resolve, reject) => {
      waiting.push({ day, logs, resolve, reject })
      void queue.run(writeGroup)
    })

  /** Around midnight in several transactions: what one of them kept is known when it is sent again. */
  async function append(logs: StoredLog[]): Promise<number[]> {
    const days = Map.groupBy(logs.keys(), (place) => dayOf(logs[place]))
    if (days.size === 1) return write(dayOf(logs[0]), logs)
    const parts = [...days].toSorted(([one], [other]) => one - other)
    const duplicates = await Promise.all(
      parts.map(async ([day, places]) => {
        const own = places.map((place) => logs[place] as StoredLog)
        return (await write(day, own)).map((at) => places[at] as number)
      }),
    )
    return duplicates.flat()
  }

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

const dayOf = (log: StoredLog | undefined) => Math.floor((log?.received_at ?? 0) / DAY_MS)

function takeGroup(waiting: Waiting[]): Waiting[] {
  let events = 0
  let count = 0
  for (const { day, logs } of waiting) {
    const isFull = events + logs.length > COMMIT_EVENTS
    if (count > 0 && (isFull || day !== waiting[0]?.day)) break
    events += logs.length
    count += 1
  }
  return waiting.splice(0, count)
}
