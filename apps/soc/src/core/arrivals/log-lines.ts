import type { StoredLog } from '../../ports/log-store.ts'

/** Events as JSON, each with the end of its line: bytes go from thread to thread without being made anew. */
export type LogLines = Uint8Array<ArrayBuffer>

const LINE_END = 0x0a
const FIRST_BYTES = 512 * 1024
/** After events that were this large the memory is given back. */
const MOST_KEPT = 4 * 1024 * 1024

let space = Buffer.alloc(0)

/** One after the other; another may begin when this one is finished or given up. */
export function beginLines() {
  let used = 0
  if (space.length === 0 || space.length > MOST_KEPT) space = Buffer.allocUnsafeSlow(FIRST_BYTES)
  return {
    add(log: StoredLog) {
      const text = JSON.stringify(log)
      const most = used + text.length * 3 + 1
      if (most > space.length) {
        const larger = Buffer.allocUnsafeSlow(most * 2)
        space.copy(larger, 0, 0, used)
        space = larger
      }
      used += space.write(text, used, 'utf8')
      space[used] = LINE_END
      used += 1
    },
    finish: (): LogLines => new Uint8Array(space.subarray(0, used)),
  }
}

export function linesOf(logs: readonly StoredLog[]): LogLines {
  const lines = beginLines()
  for (const log of logs) lines.add(log)
  return lines.finish()
}

/** Each is made when it is asked for, so that all of them never are there at once. */
export function* logsIn(lines: LogLines): Generator<StoredLog> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from)
    yield JSON.parse(bytes.toString('utf8', from, end))
    from = end + 1
  }
}

export function laidTogether(parts: LogLines[]): LogLines {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
