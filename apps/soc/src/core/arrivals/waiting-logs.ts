import type { StoredLog } from '../../ports/log-store.ts'

export type WaitingLogs = {
  /** Keeps them all or, when there is no room, none: then the oldest arrival is answered. */
  offer(logs: StoredLog[]): number | undefined
  take(most: number): StoredLog[]
  /** The oldest arrival among those that wait. */
  oldest(): number | undefined
  readonly size: number
  clear(): void
}

/** Events on their way to the rules: few enough to keep in memory. */
export function createWaitingLogs(most: number): WaitingLogs {
  let waiting: StoredLog[][] = []
  let size = 0
  return {
    offer(logs) {
      if (size + logs.length > most) return earliestArrival(logs)
      waiting.push(logs)
      size += logs.length
      return undefined
    },
    take(count) {
      const taken: StoredLog[] = []
      while (taken.length < count && waiting.length > 0) {
        const first = waiting[0] as StoredLog[]
        const part = first.slice(0, count - taken.length)
        taken.push(...part)
        if (part.length === first.length) waiting.shift()
        else waiting[0] = first.slice(part.length)
      }
      size -= taken.length
      return taken
    },
    oldest: () => (size === 0 ? undefined : Math.min(...waiting.map(earliestArrival))),
    get size() {
      return size
    },
    clear() {
      waiting = []
      size = 0
    },
  }
}

export const earliestArrival = (logs: StoredLog[]) =>
  logs.reduce((least, log) => Math.min(least, log.received_at), Number.POSITIVE_INFINITY)
