import { inPieces } from '../../ports/log-size.ts'
import type { Limits, LogSelection, Position, StoredLog } from '../../ports/log-store.ts'
import { searchLogs } from './search.ts'
import type { Store } from './store.ts'

/** Read at once, since every read sorts; handed over in pieces that do not hold up the service. */
const READ_EVENTS = 8_192
const PAGE_EVENTS = 500
/** Scans that were left unfinished are forgotten, oldest first. */
const MOST_SCANS = 4

type Ahead = { pages: StoredLog[][]; isEnd: boolean }

export type ScanPage = { logs: StoredLog[]; isLast: boolean }

/** The page of a scan behind `after`; what else was read for it is kept for the next one. */
export function createScanPages(store: Store) {
  const kept = new Map<string, Ahead>()

  async function read(
    selection: LogSelection,
    after: Position | undefined,
    limits: Limits,
  ): Promise<Ahead> {
    const { logs } = await searchLogs(
      store,
      { ...selection, skip: 0, limit: READ_EVENTS, order: 'asc', after, countUpTo: 0 },
      limits,
    )
    const pages = [...inPieces(logs, { events: PAGE_EVENTS })].map((piece) => piece.logs)
    return { pages, isEnd: logs.length < READ_EVENTS }
  }

  return async (
    scan: string,
    selection: LogSelection,
    after: Position | undefined,
    limits: Limits,
  ): Promise<ScanPage> => {
    const { pages, isEnd } = kept.get(scan) ?? (await read(selection, after, limits))
    kept.delete(scan)
    const [logs = [], ...rest] = pages
    if (rest.length > 0) kept.set(scan, { pages: rest, isEnd })
    if (kept.size > MOST_SCANS) kept.delete(kept.keys().next().value ?? '')
    return { logs, isLast: isEnd && rest.length === 0 }
  }
}
