import type { ServerResponse } from 'node:http'
import { startTurns } from '@manara/kit/turns'
import type { LogRecord } from '@manara/log-query/event'
import { FEW_CHARACTERS, sizeOf } from '../../../ports/log-size.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { toLog } from './log-record.ts'

const FLUSH_MS = 250
// More than this in a quarter of a second, or more text, nobody reads: the rest is counted.
const MOST_A_FLUSH = 100
const MOST_UNREAD_BYTES = 1024 * 1024
// A regex goes through such an event in some milliseconds; a larger one is counted, not looked at.
const LARGEST_EVENT = 64 * 1024

export type LogTail = {
  /** Resolves when all were looked at; others have their turn in between. */
  offer(logs: StoredLog[]): Promise<void>
  keepAlive(): void
  end(): void
}

/** Events as they are stored, as far as a person can follow; what was left out is said. */
export function openLogTail(
  response: ServerResponse,
  matches: (log: LogRecord) => boolean,
): LogTail {
  let waiting: StoredLog[] = []
  let characters = 0
  let skipped = 0
  let timer: NodeJS.Timeout | undefined
  let ended = false

  const write = (text: string) => {
    if (!ended) response.write(text)
  }
  const send = (event: string, data: object) =>
    write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

  function flush() {
    const isBehind = response.writableLength > MOST_UNREAD_BYTES
    if (isBehind) skipped += waiting.length
    else for (const log of waiting) send('log', toLog(log))
    waiting = []
    characters = 0
    // What was left out is said once the reader has caught up, also if nothing comes any more.
    timer = isBehind ? setTimeout(flush, FLUSH_MS) : undefined
    if (skipped === 0 || isBehind) return
    send('skipped', { count: skipped })
    skipped = 0
  }

  function add(log: StoredLog, size: number) {
    if (waiting.length >= MOST_A_FLUSH || characters > FEW_CHARACTERS) {
      skipped += 1
      return
    }
    waiting.push(log)
    characters += size
  }

  send('ready', {})
  return {
    async offer(logs) {
      const turn = startTurns()
      for (const log of logs) {
        await turn()
        if (ended) return
        const size = sizeOf(log)
        if (size > LARGEST_EVENT) skipped += 1
        else if (matches(log)) add(log, size)
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
