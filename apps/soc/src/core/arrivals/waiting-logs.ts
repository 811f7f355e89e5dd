import { FEW_CHARACTERS, inPieces } from '../../ports/log-size.ts'
import { batchOf, joined, type LogBatch } from './log-batch.ts'

export type Taken = { batch: LogBatch; letGo(): void }

export type WaitingLogs = {
  /** Keeps them all or, when there is no room, none. */
  offer(batch: LogBatch): boolean
  /** The oldest: as many as may be looked at together, fewer of large ones. To be let go of. */
  take(): Taken
  /** The oldest arrival among those that wait. */
  oldest(): number | undefined
  readonly size: number
  clear(): void
}

/** Texts of all that wait. */
const MOST_CHARACTERS = 64 * 2 ** 20

/** Events on their way to the rules: `most` of them are kept in memory, `batch` leave together. */
export function createWaitingLogs({ most, batch }: { most: number; batch: number }): WaitingLogs {
  let waiting: Taken[] = []
  let size = 0
  let characters = 0

  /** How many of them leave together. */
  function fitting(): number {
    let [events, text] = [0, 0]
    const end = waiting.findIndex(({ batch: one }, at) => {
      events += one.size
      text += one.characters
      return at > 0 && (events > batch || text > FEW_CHARACTERS)
    })
    return end < 0 ? waiting.length : end
  }

  /** In pieces it would not be known any more what rules match, and every event would be made anew. */
  const isLeftWhole = ({ matched, size, characters }: LogBatch) =>
    matched !== undefined || (size <= batch && characters <= FEW_CHARACTERS)

  const piecesOf = (one: LogBatch): LogBatch[] =>
    isLeftWhole(one)
      ? [one]
      : [...inPieces(one.logs(), { events: batch })].map(({ logs }) => batchOf(logs))

  return {
    offer(offered) {
      if (size + offered.size > most || characters + offered.characters > MOST_CHARACTERS) {
        return false
      }
      for (const piece of piecesOf(offered)) {
        waiting.push({ batch: piece, letGo: piece.hold() })
        size += piece.size
        characters += piece.characters
      }
      return true
    },
    take() {
      const taken = waiting.splice(0, fitting())
      const together = joined(taken.map((one) => one.batch))
      size -= together.size
      characters -= together.characters
      return {
        batch: together,
        letGo() {
          for (const one of taken) one.letGo()
        },
      }
    },
    oldest: () =>
      size === 0 ? undefined : Math.min(...waiting.map((one) => one.batch.receivedAt)),
    get size() {
      return size
    },
    clear() {
      for (const { letGo } of waiting) letGo()
      waiting = []
      size = 0
      characters = 0
    },
  }
}
