import { giveBack } from '@manara/kit/give-back'
import { nextTurn } from '@manara/kit/turns'
import { sizeOf } from '../../ports/log-size.ts'
import type { StoredLog } from '../../ports/log-store.ts'
import { type LogLines, laidTogether, linesOf } from './log-lines.ts'
import { joinMatched, type Matched } from './matched.ts'

/**
 * Events on their way through the service, all taken in at once. Many of them are packed, and made only
 * for whoever has to look at each: most threads and queues hand them on as they are.
 */
export type LogBatch = {
  readonly size: number
  /** About, by which copying them takes long. */
  readonly characters: number
  readonly receivedAt: number
  /** What rules were found to match where these were read. */
  readonly matched?: Matched | undefined
  lines(): LogLines
  logs(): StoredLog[]
  /**
   * For whoever looks at it later; answers how to let go of it. When nobody holds it any more, its
   * memory is free at once: waiting for V8, events would make it clean up every few hundred
   * milliseconds.
   */
  hold(): () => void
}

export function batchOf(logs: StoredLog[]): LogBatch {
  let characters: number | undefined
  return {
    size: logs.length,
    get characters() {
      characters ??= logs.reduce((sum, log) => sum + sizeOf(log), 0)
      return characters
    },
    get receivedAt() {
      return earliestArrival(logs)
    },
    lines: () => linesOf(logs),
    logs: () => logs,
    hold: () => () => {},
  }
}

/** As their store writes them, and as lines where somebody is known to need those. */
export type Packed = { bytes: ArrayBuffer; lines?: LogLines | undefined; unpack(): StoredLog[] }

export function batchOfPacked(
  { bytes, lines, unpack }: Packed,
  { size, receivedAt, matched }: Pick<LogBatch, 'size' | 'receivedAt' | 'matched'>,
): LogBatch {
  let made: StoredLog[] | undefined
  let holders = 0
  let isGone = false

  function checkThere() {
    if (isGone) throw new Error('these events were let go of')
  }

  /** For all who look in this turn of the loop; then let go, which is cheap of what lived shortly. */
  function logs() {
    checkThere()
    if (made) return made
    made = unpack()
    void nextTurn().then(() => {
      made = undefined
    })
    return made
  }

  return {
    ...{ size, receivedAt, matched, characters: bytes.byteLength },
    logs,
    lines() {
      checkThere()
      return lines ?? linesOf(logs())
    },
    hold() {
      checkThere()
      holders += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holders -= 1
        isGone = holders === 0
        if (!isGone) return
        giveBack(new Uint8Array(bytes))
        giveBack(lines)
      }
    },
  }
}

/** One after the other, without making anything of them before somebody asks. */
export function joined(batches: LogBatch[]): LogBatch {
  const [first] = batches
  if (first && batches.length === 1) return first
  const sum = (of: 'size' | 'characters') => batches.reduce((total, one) => total + one[of], 0)
  return {
    ...{ size: sum('size'), characters: sum('characters') },
    receivedAt: Math.min(...batches.map(({ receivedAt }) => receivedAt)),
    matched: joinMatched(batches),
    lines: () => laidTogether(batches.map((one) => one.lines())),
    logs: () => batches.flatMap((one) => one.logs()),
    hold() {
      const held = batches.map((one) => one.hold())
      return () => {
        for (const letGo of held) letGo()
      }
    },
  }
}

export const earliestArrival = (logs: StoredLog[]) =>
  logs.reduce((least, log) => Math.min(least, log.received_at), Number.POSITIVE_INFINITY)
