import type { Logger } from '@manara/kit/logging'
import { nextTurn } from '@manara/kit/turns'
import type { StoredLog } from '../../../ports/log-store.ts'

export type StoredListener = (logs: StoredLog[]) => void | Promise<void>

/** Events that may wait for one listener; more are not kept for it, and counted. */
const MOST_WAITING = 50_000

export type StoredListeners = ReturnType<typeof createStoredListeners>

/**
 * Those who want every stored event: each has a bounded queue of its own and is called with one
 * batch after the other, so that a slow one delays neither acknowledgements nor the others.
 */
export function createStoredListeners(log: Pick<Logger, 'error' | 'warn'>) {
  const listeners = new Set<{ offer(logs: StoredLog[]): void; idle(): Promise<void> }>()
  let missed = 0

  function add(listener: StoredListener): () => void {
    const waiting: StoredLog[][] = []
    let count = 0
    let working: Promise<void> | undefined

    async function work() {
      for (let logs = waiting.shift(); logs; logs = waiting.shift()) {
        try {
          await listener(logs)
        } catch (error) {
          log.error({ err: error }, 'a listener to stored events failed')
        }
        count -= logs.length
        await nextTurn()
      }
      working = undefined
    }

    const entry = {
      offer(logs: StoredLog[]) {
        if (count + logs.length > MOST_WAITING) {
          if (missed === 0) log.warn('a listener to stored events is too slow: it misses some')
          missed += logs.length
          return
        }
        count += logs.length
        waiting.push(logs)
        // After the acknowledgements of this batch, which are due now.
        working ??= nextTurn().then(work)
      },
      idle: () => working ?? Promise.resolve(),
    }
    listeners.add(entry)
    return () => listeners.delete(entry)
  }

  return {
    add,
    tell(logs: StoredLog[]) {
      if (logs.length > 0) for (const { offer } of listeners) offer(logs)
    },
    missed: () => missed,
    async idle() {
      await Promise.all([...listeners].map(({ idle }) => idle()))
    },
  }
}
