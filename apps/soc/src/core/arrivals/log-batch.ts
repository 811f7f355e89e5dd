import { nextTurn } from '@manara/kit/turns'
import { sizeOf } from '../../ports/log-size.ts'
import type { StoredLog } from '../../ports/log-store.ts'

/**
 * Events on their way through the service, all taken in at once. They are one text, of which events
 * are made only for whoever has to look at each: most threads and queues hand them on as they are.
 */
export type LogBatch = {
  readonly size: number
  /** About, by which copying them takes long. */
  readonly characters: number
  readonly receivedAt: number
  text(): string
  logs(): StoredLog[]
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
    text: () => JSON.stringify(logs),
    logs: () => logs,
  }
}

export function batchOfText(text: string, size: number, receivedAt: number): LogBatch {
  let made: StoredLog[] | undefined
  return {
    ...{ size, receivedAt, characters: text.length },
    text: () => text,
    /** For all who look in this turn of the loop; then let go, which is cheap of what lived shortly. */
    logs() {
      if (made) return made
      made = JSON.parse(text) as StoredLog[]
      void nextTurn().then(() => {
        made = undefined
      })
      return made
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
    text: () => `[${batches.map((one) => one.text().slice(1, -1)).join(',')}]`,
    logs: () => batches.flatMap((one) => one.logs()),
  }
}

export const earliestArrival = (logs: StoredLog[]) =>
  logs.reduce((least, log) => Math.min(least, log.received_at), Number.POSITIVE_INFINITY)
