import { parseQuery } from '@manara/log-query/parse'
import type { LogStore, StoredLog } from '../../ports/log-store.ts'

const HOUR = 3_600_000
const FARTHEST_BACK_MS = 7 * 24 * HOUR
// Another process may have acknowledged what came in shortly before: it is read twice rather than never.
const OVERLAP_MS = 60_000
const LONGEST_PAGE_MS = HOUR
const SHORTEST_PAGE_MS = 10_000
const GOOD_PAGE_MS = 500
const READING_MS = 10 * 60_000
const SPOKEN_OF =
  'modbus OR dnp3 OR s7comm OR bacnet OR opcua OR opcua_binary OR enip OR mqtt OR dhcp OR DHCPACK'

type PastDeps = {
  logs: Pick<LogStore, 'scan'>
  now(): number
  signal: AbortSignal
  /** Until which arrival everything was read; kept over restarts. */
  progress: { read(): Promise<number | undefined>; keep(until: number): Promise<unknown> }
  /** Resolves when what these events tell is stored. */
  take(logs: StoredLog[]): Promise<void>
}

/**
 * Events that came in before this process began, a page of arrivals at a time, so that neither the
 * answer nor the time without a rest grows with the store. A page that was read is not read again,
 * also by the next process.
 */
export function createPastReader({ logs, now, signal, progress, take }: PastDeps) {
  let next: number | undefined
  let until = 0
  let pageMs = LONGEST_PAGE_MS
  let isRead = false

  async function begin(): Promise<number> {
    until = now()
    const readUntil = await progress.read()
    const farthest = until - FARTHEST_BACK_MS
    return readUntil === undefined ? farthest : Math.max(farthest, readUntil - OVERLAP_MS)
  }

  /** Answers until which arrival all was read. */
  async function readPage(from: number): Promise<number> {
    const to = Math.min(until, from + pageMs)
    // Clocks of others may be ahead: what they took in lately has no end.
    const received = to < until ? { from, to } : { from }
    const began = now()
    const query = spokenOf(began)
    const batches = logs.scan({ query, time: {}, received }, { signal, timeLimitMs: READING_MS })
    for await (const batch of batches) await take(batch)
    pageMs = nextPage(pageMs, now() - began)
    return to
  }

  return {
    isRead: () => isRead,
    /** As many pages as are read in a moment, hours of silence all at once; whether there are more. */
    async readOn(): Promise<boolean> {
      if (isRead) return false
      const end = now() + GOOD_PAGE_MS
      next ??= await begin()
      do next = await readPage(next)
      while (next < until && now() < end)
      await progress.keep(next)
      isRead = next === until
      return !isRead
    },
  }
}

/** As much of the past as is read in a moment. Never more than an hour: after days of silence there may be millions. */
const nextPage = (pageMs: number, tookMs: number) =>
  tookMs > GOOD_PAGE_MS
    ? Math.max(SHORTEST_PAGE_MS, pageMs / 4)
    : Math.min(LONGEST_PAGE_MS, pageMs * (tookMs < GOOD_PAGE_MS / 8 ? 8 : 1))

function spokenOf(now: number) {
  const parsed = parseQuery(SPOKEN_OF, now)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.query
}
