import type { StoredLog } from '../../../ports/log-store.ts'

/** Events that one sieve let through, with their places among all. */
export type Picked = { places: number[]; logs: StoredLog[] }
