import type { DuckDBConnection } from '@duckdb/node-api'
import { eventsOf } from './current-partition.ts'
import type { Partition } from './database.ts'
import type { Store, StoreSettings } from './store.ts'

/** DuckDB compresses so many events together. */
const ROW_GROUP = 122_880
/** With less in the write-ahead log, DuckDB has made a checkpoint of its own a moment ago. */
const LEAST_LOG_BYTES = 32 * 2 ** 20

/**
 * Makes a checkpoint when a row group has become full. DuckDB's own come by the length of its log,
 * in the midst of one: what is compressed of it then has to be read and compressed again with the
 * rest, which took two and a half times as long. Those stay for events that are so large that the
 * log is long before.
 */
export function createCheckpoints(
  store: Store,
  { checkpoints }: StoreSettings,
  connection: DuckDBConnection,
) {
  const { events = ROW_GROUP, leastLogBytes = LEAST_LOG_BYTES } = checkpoints ?? {}
  let partition: Partition | undefined
  let full = 0

  /** After a commit. */
  return async () => {
    const { current } = store
    if (!current) return
    const before = current === partition ? full : Number.POSITIVE_INFINITY
    partition = current
    full = Math.floor(eventsOf(store, current) / events)
    if (full <= before || store.database.logBytes(current) < leastLogBytes) return
    // What was committed is safe without it. Where it cannot be made now, the next one is, and a
    // database that is broken says so at the next commit.
    await connection.run(`CHECKPOINT ${current.alias}`).catch(() => {})
  }
}
