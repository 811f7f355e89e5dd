import { packLogs, unpackLogs } from '../adapters/duckdb-logs/pack-logs.ts'
import { batchOfPacked, earliestArrival, type LogBatch } from '../core/arrivals/log-batch.ts'
import type { Matched } from '../core/arrivals/matched.ts'
import type { PackedLogs, StoredLog } from '../ports/log-store.ts'

/** Many events as they come from where they were read. */
export function packedBatch(
  logs: StoredLog[],
  { packed = packLogs(logs), matched }: { packed?: PackedLogs; matched?: Matched | undefined } = {},
): LogBatch {
  return batchOfPacked(
    { bytes: packed.bytes, unpack: () => unpackLogs(packed) },
    { size: logs.length, receivedAt: earliestArrival(logs), matched },
  )
}
