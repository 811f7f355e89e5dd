import type { ServerResponse } from 'node:http'
import type { LogRecord } from '@manara/log-query/event'
import type { StoredLog } from '../../../ports/log-store.ts'
import { toLog } from './log-record.ts'

const FLUSH_MS = 250
// More than this in a quarter of a second nobody reads: the rest is counted.
const MOST_A_FLUSH = 100
const MOST_UNREAD_BYTES = 1024 * 1024

export type LogTail = {
  offer(logs: StoredLog[]): void
  keepAlive(): void
  end(): void
}

/** Events as they are stored, as far as a person can follow; what was left out is said. */
export function openLogTail(
  response: ServerResponse,
  matches: (log: LogRecord) => boolean,
): LogTail {
  let waiting: StoredLog[] = []
  let skipped = 0
  let timer: NodeJS.Timeout | undefined
  let ended = false

  const write = (text: string) => {
    if (!ended) response.write(text)
  }
  const send = (event: string, data: object) =>
    write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

  function flush() {
    timer = undefined
    const isBehind = response.writableLength > MOST_UNREAD_BYTES
    if (isBehind) skipped += waiting.length
    else for (const log of waiting) send('log', toLog(log))
    waiting = []
    if (skipped === 0 || isBehind) return
    send('skipped', { count: skipped })
    skipped = 0
  }

  send('ready', {})
  return {
    offer(logs) {
      if (ended) return
      for (const log of logs) {
        if (!matches(log)) continue
        if (waiting.length < MOST_A_FLUSH) waiting.push(log)
        else skipped += 1
      }
      if (waiting.length + skipped > 0) timer ??= setTimeout(flush, FLUSH_MS)
    },
    keepAlive: () => write(': keep-alive\n\n'),
    end() {
      if (ended) return
      ended = true
      clearTimeout(timer)
      response.end()
    },
  }
}
