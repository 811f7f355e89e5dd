import { inPieces } from '../../ports/log-size.ts'
import type { Limits, LogSelection, Position, StoredLog } from '../../ports/log-store.ts'

/** Read at once, since every read sorts; handed over in pieces that do not hold up the service. */
export const READ_EVENTS = 8_192
const PAGE_EVENTS = 500
/** Of more at once the one that waited longest reads again what it had. */
const MOST_SCANS = 8

type Ahead = { pages: StoredLog[][]; isEnd: boolean }

export type ScanPage = { logs: StoredLog[]; isLast: boolean }

/** Reads the next `READ_EVENTS` behind `after`, oldest first. */
type Read = (
  selection: LogSelection,
  after: Position | undefined,
  limits: Limits,
) => Promise<StoredLog[]>

/** Scans under way: what was read for one and not yet asked for is kept until it ends. */
export function createScanPages(read: Read) {
  const kept = new Map<string, Ahead>()

  async function readAhead(...asked: Parameters<Read>): Promise<Ahead> {
    const logs = await read(...asked)
    const pages = [...inPieces(logs, { events: PAGE_EVENTS })].map((piece) => piece.logs)
    return { pages, isEnd: logs.length < READ_EVENTS }
  }

  return {
    /** The page behind `after`. */
    async page(
      scan: string,
      selection: LogSelection,
      after: Position | undefined,
      limits: Limits,
    ): Promise<ScanPage> {
      const { pages, isEnd } = kept.get(scan) ?? (await readAhead(selection, after, limits))
      kept.delete(scan)
      const [logs = [], ...rest] = pages
      if (rest.length > 0) kept.set(scan, { pages: rest, isEnd })
      if (kept.size > MOST_SCANS) kept.delete(kept.keys().next().value ?? '')
      return { logs, isLast: isEnd && rest.length === 0 }
    },
    /** Nobody reads on. */
    end: (scan: string) => void kept.delete(scan),
  }
}
