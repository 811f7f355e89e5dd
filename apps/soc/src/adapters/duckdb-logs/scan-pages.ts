import { FEW_CHARACTERS, inPieces, type Piece } from '../../ports/log-size.ts'
import type { Limits, LogSelection, Position, StoredLog } from '../../ports/log-store.ts'
import { nothingTaken, type Taken } from './readers.ts'

/** Read at once at most, since every read sorts; handed over in pieces that do not hold up the service. */
const MOST_EVENTS = 4_096
const FIRST_EVENTS = 64
const PAGE_EVENTS = 500
/** A text of so many characters is expected of an event before any was seen. */
const USUAL_SIZE = 1_000
/** What is read ahead for one scan, and for all of them together. */
const SCAN_CHARACTERS = 8 * 2 ** 20
const ALL_CHARACTERS = 48 * 2 ** 20

/** `events` were asked for last; `size` is how many characters one of them had. */
type Scan = {
  pages: Piece<StoredLog>[]
  isEnd: boolean
  events: number
  size: number
  /** By all its reads: a long scan becomes heavy, as if it were one question. */
  taken: Taken
}

export type ScanPage = { logs: StoredLog[]; isLast: boolean }

/** Reads the next so many events behind `after`, oldest first. */
type Read = (
  selection: LogSelection,
  after: Position | undefined,
  events: number,
  limits: Limits,
  taken: Taken,
) => Promise<StoredLog[]>

/**
 * Scans under way: what was read for one is kept until it was asked for, so that nothing is read
 * twice. The more of them there are, and the larger the events, the less is read ahead for each.
 */
export function createScanPages(read: Read) {
  const scans = new Map<string, Scan>()
  /** Kept, or being read. */
  let characters = 0

  /** Four times as many as before at most: what comes next may be larger than what came. */
  function eventsFor({ events, size }: Scan): number {
    const room = Math.min(SCAN_CHARACTERS, ALL_CHARACTERS - characters)
    const least = Math.min(PAGE_EVENTS, FEW_CHARACTERS / size)
    const most = Math.min(MOST_EVENTS, 4 * events)
    return Math.max(1, Math.floor(Math.min(most, Math.max(least, room / size))))
  }

  async function readAhead(
    scan: Scan,
    selection: LogSelection,
    after: Position | undefined,
    limits: Limits,
  ): Promise<Scan> {
    const events = eventsFor(scan)
    const { taken } = scan
    const expected = events * scan.size
    characters += expected
    try {
      const logs = await read(selection, after, events, limits, taken)
      // Who has gone meanwhile asks for nothing more, and has said so already.
      limits.signal?.throwIfAborted()
      const pages = [...inPieces(logs, { events: PAGE_EVENTS })]
      const size = sizeOf(pages) / Math.max(1, logs.length)
      characters += sizeOf(pages)
      return { pages, isEnd: logs.length < events, events, size: size || scan.size, taken }
    } finally {
      characters -= expected
    }
  }

  /** Nobody reads on. */
  function end(name: string) {
    characters -= sizeOf(scans.get(name)?.pages ?? [])
    scans.delete(name)
  }

  return {
    /** The page behind `after`. */
    async page(
      name: string,
      selection: LogSelection,
      after: Position | undefined,
      limits: Limits,
    ): Promise<ScanPage> {
      const known = scans.get(name) ?? { ...FRESH, taken: nothingTaken() }
      const scan = known.pages.length > 0 ? known : await readAhead(known, selection, after, limits)
      const [page, ...pages] = scan.pages
      characters -= page?.characters ?? 0
      scans.set(name, { ...scan, pages })
      const isLast = scan.isEnd && pages.length === 0
      if (isLast) end(name)
      return { logs: page?.logs ?? [], isLast }
    },
    end,
  }
}

const FRESH: Omit<Scan, 'taken'> = {
  pages: [],
  isEnd: false,
  events: FIRST_EVENTS / 4,
  size: USUAL_SIZE,
}

const sizeOf = (pages: Piece<StoredLog>[]) =>
  pages.reduce((sum, { characters }) => sum + characters, 0)
