import { createQueue } from '@manara/kit/queue'
import { isOpen } from './current-partition.ts'
import type { Partition } from './database.ts'
import { makeFilterBlocks } from './make-filter-blocks.ts'
import type { Reads } from './reads.ts'
import type { Store } from './store.ts'

/** What becomes of files in the background, once their events are complete. */
export function createUpkeep(
  store: Store,
  { reading }: Reads,
  warn: (text: string) => void,
  signal: AbortSignal,
) {
  const filtering = createQueue()
  const changing = createQueue()

  store.onFull = (partition) => {
    void filtering
      .run(() => reading(() => makeFilterBlocks(store, partition, signal)))
      .catch((error) => warn(`filters of ${partition.name} stay where they are: ${error}`))
    void changing
      .run(() => reading(() => settleOld(store, partition, signal)))
      .catch((error) => warn(`the write-ahead log of ${partition.name} stays: ${error}`))
  }

  return {
    /** One after the other: changes of files that are complete. */
    changeFiles: changing.run,
    seeToAll() {
      for (const partition of store.partitions) store.onFull(partition)
    },
    idle: () => Promise.all([changing.idle(), filtering.idle()]),
  }
}

/** A start replays the write-ahead log of each file: only that of the last one should have any. */
async function settleOld(store: Store, partition: Partition, signal: AbortSignal) {
  const isOld = !isOpen(store, partition) && store.partitions.includes(partition)
  if (isOld && !signal.aborted && store.database.hasLog(partition)) {
    await store.database.settle(partition)
  }
}
