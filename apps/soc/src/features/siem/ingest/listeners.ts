import type { Logger } from '@manara/kit/logging'
import { nextTurn } from '@manara/kit/turns'
import { batchOf, type LogBatch } from '../../../core/arrivals/log-batch.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { Arrived } from './arrived.ts'

export type StoredListener = (batch: LogBatch) => void | Promise<void>
/** Gets what its sieve lets through, and of few events perhaps all. */
export type PickedListener = (logs: StoredLog[], receivedAt: number) => void

/** Events that may wait for one listener; more are not kept for it, and counted. */
const MOST_WAITING = 50_000

export type StoredListeners = ReturnType<typeof createStoredListeners>

/**
 * Those who want every stored event: each has a bounded queue of its own and is called with one
 * batch after the other, so that a slow one delays neither acknowledgements nor the others.
 */
export function createStoredListeners(log: Pick<Logger, 'error' | 'warn'>) {
  const listeners = new Set<{ offer(arrived: Arrived): void; idle(): Promise<void> }>()
  const sieves: URL[] = []
  let missed = 0

  function addQueue(
    listener: StoredListener,
    batchFor: (arrived: Arrived) => LogBatch,
  ): () => void {
    const waiting: { batch: LogBatch; letGo(): void }[] = []
    let count = 0
    let working: Promise<void> | undefined

    async function work() {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { batch, letGo } = next
        try {
          await listener(batch)
        } catch (error) {
          log.error({ err: error }, 'a listener to stored events failed')
        } finally {
          letGo()
        }
        count -= batch.size
        await nextTurn()
      }
      working = undefined
    }

    const entry = {
      offer(arrived: Arrived) {
        const batch = batchFor(arrived)
        if (batch.size === 0) return
        if (count + batch.size > MOST_WAITING) {
          if (missed === 0) log.warn('a listener to stored events is too slow: it misses some')
          missed += batch.size
          return
        }
        count += batch.size
        waiting.push({ batch, letGo: batch.hold() })
        // After the acknowledgements of this batch, which are due now.
        working ??= nextTurn().then(work)
      },
      idle: () => working ?? Promise.resolve(),
    }
    listeners.add(entry)
    return () => listeners.delete(entry)
  }

  return {
    add: (listener: StoredListener) => addQueue(listener, ({ batch }) => batch),
    /** `sieve` is a module that makes one, where events are read. */
    addPicked(sieve: URL, listener: PickedListener) {
      const at = sieves.push(sieve) - 1
      return addQueue(
        (batch) => listener(batch.logs(), batch.receivedAt),
        ({ batch, picked }) => {
          const own = picked?.[at]
          return own ? { ...batchOf(own.logs), receivedAt: batch.receivedAt } : batch
        },
      )
    },
    /** In the order of what is picked; more may be added until the first event is read. */
    sieves: sieves as readonly URL[],
    tell(arrived: Arrived) {
      if (arrived.batch.size === 0) return
      const letGo = arrived.batch.hold()
      for (const { offer } of listeners) offer(arrived)
      letGo()
    },
    missed: () => missed,
    async idle() {
      await Promise.all([...listeners].map(({ idle }) => idle()))
    },
  }
}
