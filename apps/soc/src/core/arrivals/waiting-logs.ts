import { FEW_CHARACTERS, inPieces, type Piece } from '../../ports/log-size.ts'
import type { StoredLog } from '../../ports/log-store.ts'

export type WaitingLogs = {
  /** Keeps them all or, when there is no room, none: then the oldest arrival is answered. */
  offer(logs: StoredLog[]): number | undefined
  /** The oldest: as many as may be looked at together, fewer of large ones. */
  take(): StoredLog[]
  /** The oldest arrival among those that wait. */
  oldest(): number | undefined
  readonly size: number
  clear(): void
}

/** Texts of all that wait. */
const MOST_CHARACTERS = 64 * 2 ** 20

/** Events on their way to the rules: `most` of them are kept in memory, `batch` leave together. */
export function createWaitingLogs({ most, batch }: { most: number; batch: number }): WaitingLogs {
  let waiting: Piece<StoredLog>[] = []
  let size = 0
  let characters = 0

  /** How many pieces make a batch. */
  function fitting(): number {
    let [events, text] = [0, 0]
    const end = waiting.findIndex((piece, at) => {
      events += piece.logs.length
      text += piece.characters
      return at > 0 && (events > batch || text > FEW_CHARACTERS)
    })
    return end < 0 ? waiting.length : end
  }

  return {
    offer(logs) {
      const pieces = [...inPieces(logs, { events: batch })]
      const more = pieces.reduce((sum, piece) => sum + piece.characters, 0)
      if (size + logs.length > most || characters + more > MOST_CHARACTERS) {
        return earliestArrival(logs)
      }
      waiting.push(...pieces)
      size += logs.length
      characters += more
      return undefined
    },
    take() {
      const taken = waiting.splice(0, fitting())
      for (const piece of taken) {
        size -= piece.logs.length
        characters -= piece.characters
      }
      return taken.flatMap(({ logs }) => logs)
    },
    oldest: () =>
      size === 0 ? undefined : Math.min(...waiting.map(({ logs }) => earliestArrival(logs))),
    get size() {
      return size
    },
    clear() {
      waiting = []
      size = 0
      characters = 0
    },
  }
}

export const earliestArrival = (logs: StoredLog[]) =>
  logs.reduce((least, log) => Math.min(least, log.received_at), Number.POSITIVE_INFINITY)
