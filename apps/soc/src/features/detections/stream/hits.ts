import type { StoredLog } from '../../../ports/log-store.ts'
import type { Found } from './rule-set.ts'

/** Events that some rule matched, by their place in the batch: the others stay where they are. */
export type Hits = Record<number, StoredLog>

export function hitsOf(found: Found[], logs: StoredLog[]): Hits {
  const hits: Hits = {}
  for (const place of found.flatMap(({ logs: places }) => places)) {
    hits[place] = logs[place] as StoredLog
  }
  return hits
}
