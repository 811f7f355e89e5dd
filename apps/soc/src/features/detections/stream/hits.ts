import type { StoredLog } from '../../../ports/log-store.ts'

/** Events that some rule matched, by their place in the batch: the others stay where they are. */
export type Hits = Record<number, StoredLog>
