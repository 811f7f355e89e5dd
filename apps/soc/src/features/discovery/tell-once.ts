import type { StoredLog } from '../../ports/log-store.ts'

const MOST_REMEMBERED = 50_000

/**
 * An event that comes in while the past is still read is told of as it comes, and found there again.
 * Who tells of it first has told of it; `since` is when this process began to listen. Bounded: of a
 * flood some may be told twice, and none never.
 */
export function createOnce({ since, isPastRead }: { since: number; isPastRead(): boolean }) {
  const told = new Set<string>()

  function isFirst({ id, received_at }: StoredLog): boolean {
    if (told.has(id)) return false
    if (received_at >= since && !isPastRead() && told.size < MOST_REMEMBERED) told.add(id)
    return true
  }

  return {
    /** Those that nobody has told of. */
    take: (logs: StoredLog[]) => logs.filter(isFirst),
    /** They were not told of after all. */
    putBack(logs: StoredLog[]) {
      for (const { id } of logs) told.delete(id)
    },
  }
}
