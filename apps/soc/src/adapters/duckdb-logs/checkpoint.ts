import type { DuckDBConnection } from '@duckdb/node-api'
import { eventsOf, finishLast } from './current-partition.ts'
import type { Partition } from './database.ts'
import type { Store, StoreSettings } from './store.ts'

/** DuckDB compresses so many events together. */
const ROW_GROUP = 122_880
/** With less in the write-ahead log it would not be worth it. */
const LEAST_LOG_BYTES = 32 * 2 ** 20
/** The next start reads all of it. */
const LONG_LOG_BYTES = 128 * 2 ** 20
/** Before more comes in, the other file has to be done. */
const MOST_LOG_BYTES = 256 * 2 ** 20
/** Of all logs: a stop has three seconds for everything, and this takes one on a slow machine. */
const STOP_LOG_BYTES = 64 * 2 ** 20

/**
 * Has the current partition settled when a row group has become full, while others get the events.
 * In the midst of one, what is compressed of it has to be read and compressed again with the rest,
 * which took two and a half times as long; that is done only for events that are so large that the
 * log is long before.
 */
export function createCheckpoints(
  store: Store,
  { checkpoints }: StoreSettings,
  connection: DuckDBConnection,
  warn: (text: string) => void,
  /** Calls `begin` between two commits. */
  beginLater: () => void,
) {
  const { events = ROW_GROUP, leastLogBytes = LEAST_LOG_BYTES } = checkpoints ?? {}
  const { database, current, resting } = store
  /** How many full row groups each had when it was last looked at. */
  const settled = new Map<Partition, number>()
  let underWay: Promise<void> | undefined
  /** After one that failed: how long a log has to be for the next try. */
  let tryAgainAt: number | undefined
  let isFinished = false

  const fullIn = (partition: Partition) => Math.floor(eventsOf(store, partition) / events)
  for (const one of [current, resting]) {
    // The service was killed before it was settled.
    if (one) settled.set(one, database.hasLog(one) ? -1 : fullIn(one))
  }

  function isDue(partition: Partition): boolean {
    const logBytes = database.logBytes(partition)
    if (tryAgainAt !== undefined) return logBytes >= tryAgainAt
    if (logBytes >= LONG_LOG_BYTES) return true
    const full = fullIn(partition)
    if (full <= (settled.get(partition) ?? 0)) return false
    if (logBytes >= leastLogBytes) return true
    settled.set(partition, full)
    return false
  }

  async function settle(partition: Partition) {
    try {
      await database.settle(partition)
      tryAgainAt = undefined
    } catch (error) {
      tellOnce(partition, error)
    }
  }

  /** What was committed is safe without it. */
  function tellOnce(partition: Partition, error: unknown) {
    if (tryAgainAt === undefined) {
      warn(`the write-ahead log of ${partition.name} stays, and grows: ${error}`)
    }
    tryAgainAt = database.logBytes(partition) + leastLogBytes
  }

  return {
    /** After a commit. */
    async begin() {
      const { current } = store
      if (isFinished || !current || !isDue(current)) return
      if (underWay && database.logBytes(current) < MOST_LOG_BYTES) return
      await underWay
      try {
        await finishLast(store, connection)
      } catch (error) {
        return tellOnce(current, error)
      }
      settled.set(current, fullIn(current))
      underWay = settle(current).finally(() => {
        underWay = undefined
        // Meanwhile the other may have become due, and perhaps nothing comes in any more.
        beginLater()
      })
    },
    /** Once none is under way. */
    idle: async () => underWay,
    /** After the last commit: the next start has little to read before it answers. */
    async finish() {
      isFinished = true
      let left = STOP_LOG_BYTES
      for (const one of store.partitions) {
        if (database.isSettling(one)) left -= database.logBytes(one)
      }
      await underWay
      for (const one of store.partitions) {
        const bytes = database.logBytes(one)
        if (!database.hasLog(one) || bytes < leastLogBytes || bytes > left) continue
        left -= bytes
        await settle(one)
      }
    },
  }
}
