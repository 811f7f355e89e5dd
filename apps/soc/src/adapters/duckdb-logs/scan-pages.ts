import type { Limits, LogSelection, Position, StoredLog } from '../../ports/log-store.ts'
import { searchLogs } from './search.ts'
import type { Store } from './store.ts'

/** Read at once, since every read sorts; handed over in pieces that do not hold up the service. */
const READ_EVENTS = 8_192
const PAGE_EVENTS = 500
/** Scans that were left unfinished are forgotten, oldest first. */
const MOST_SCANS = 4

type Ahead = { logs: StoredLog[]; isEnd: boolean }

export type ScanPage = { logs: StoredLog[]; isLast: boolean }

/** The page of a scan behind `after`; what else was read for it is kept for the next one. */
export function createScanPages(store: Store) {
  const kept = new Map<string, Ahead>()

  async function read(selection: LogSelection, after: Position | undefined, limits: Limits) {
    const { logs } = await searchLogs(
      store,
      { ...selection, skip: 0, limit: READ_EVENTS, order: 'asc', after, countUpTo: 0 },
      limits,
    )
    return { logs, isEnd: logs.length < READ_EVENTS }
  }

  return async (
    scan: string,
    selection: LogSelection,
    after: Position | undefined,
    limits: Limits,
  ): Promise<ScanPage> => {
    const ahead = kept.get(scan) ?? (await read(selection, after, limits))
    kept.delete(scan)
    const rest = ahead.logs.slice(PAGE_EVENTS)
    if (rest.length > 0) kept.set(scan, { logs: rest, isEnd: ahead.isEnd })
    if (kept.size > MOST_SCANS) kept.delete(kept.keys().next().value ?? '')
    return { logs: ahead.logs.slice(0, PAGE_EVENTS), isLast: ahead.isEnd && rest.length === 0 }
  }
}
