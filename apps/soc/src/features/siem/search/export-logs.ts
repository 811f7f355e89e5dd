import { Readable } from 'node:stream'
import type { LogFilter } from '@manara/soc-contract/siem'
import { inPieces } from '../../../ports/log-size.ts'
import type { Incomplete, StoredLog } from '../../../ports/log-store.ts'
import { selectionOf } from './domain/selection.ts'
import { toLog } from './log-record.ts'
import type { ReadableLogs } from './readable-logs.ts'

/**
 * One event a line, oldest first, read from the store only as fast as the caller takes it. Resolves
 * with the first events at hand, so that a store that is away is still told as an error. When the
 * stream is destroyed, because the caller has gone, the store stops.
 */
export async function exportLogs(
  logs: ReadableLogs,
  { q, ...filter }: LogFilter,
  now: number,
  /** Aborted when the caller has gone. */
  signal?: AbortSignal,
): Promise<{ lines: Readable; partial: Incomplete }> {
  const gone = new AbortController()
  // The stream cannot say so: it is told of its end only when what it waits for has come.
  signal?.addEventListener('abort', () => gone.abort(), { once: true })
  const selection = selectionOf({ ...filter, query: q }, now)
  const batches = logs.scan(selection, { signal: gone.signal })[Symbol.asyncIterator]()
  const first = await batches.next()
  // Nothing is asked for but whether events of that time are lost.
  const asked = { ...selection, skip: 0, limit: 0, order: 'asc', countUpTo: 0 } as const
  const { partial } = await logs.search(asked, { signal: gone.signal })

  async function* lines() {
    try {
      for (let batch = first; !batch.done; batch = await batches.next()) {
        for (const { logs } of inPieces(batch.value, { events: PIECE })) yield linesOf(logs)
      }
    } finally {
      gone.abort()
      await batches.return?.()
    }
  }
  return { lines: Readable.from(lines(), { objectMode: false }), partial }
}

/** So small that making the text of one keeps nobody else waiting. */
const PIECE = 200

const linesOf = (logs: StoredLog[]) => logs.map((log) => `${JSON.stringify(toLog(log))}\n`).join('')
