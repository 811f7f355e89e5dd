import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { without } from './arrived.ts'
import type { Counters } from './counters.ts'
import type { Job } from './jobs.ts'
import type { StoredListeners } from './listeners.ts'
import { storeOthers } from './other-index.ts'
import { type Tally, tallyOf } from './tally.ts'

export type AppendDeps = {
  logs: Pick<LogStore, 'append' | 'appendPacked' | 'unpack'> & Partial<Pick<LogStore, 'byIds'>>
  counters: Counters
  listeners: Pick<StoredListeners, 'tell'>
  /** Events that were not there before, with their acknowledgement. */
  onStored?(tally: Tally[], receivedAt: number): void
}

/**
 * Stores a batch, tells each job of it what became of its events (`finish`), and then the listeners
 * of those that are new; rejects, and has told nobody, when the store did not take it.
 */
export function createAppend(
  { logs: target, counters, listeners, onStored }: AppendDeps,
  finish: (job: Job, error?: unknown) => void,
) {
  async function appendPacked(batch: Job[]) {
    const parts = batch.flatMap(({ arrived }) => arrived.packed ?? [])
    const known = (await target.appendPacked?.(parts)) ?? []
    await Promise.all(batch.map((job, at) => settleKnown(job, new Set(known[at]))))
  }

  async function appendAll(batch: Job[]) {
    const all = batch.map((job) => job.arrived.batch.logs())
    const { stored, duplicates } = await target.append(all.flat())
    const isStored = new Set(duplicates === 0 ? [] : stored.map(({ id }) => id))
    const settling = batch.map((job, at) => {
      const known = new Set<number>()
      for (const [place, { id }] of duplicates === 0 ? [] : (all[at] ?? []).entries()) {
        // Deleted when met: of one id twice in a batch, one is stored.
        if (!isStored.delete(id)) known.add(place)
      }
      return settleKnown(job, known)
    })
    await Promise.all(settling)
  }

  /** An id of a document may be known from another index: that is another event. */
  async function settleKnown(job: Job, known: Set<number>) {
    if (known.size === 0 || job.way !== 'elastic') return settle(job, known)
    try {
      const others = await storeOthers(target, job.arrived.batch.logs(), known)
      for (const place of others.keys()) known.delete(place)
      settle(job, known, others)
    } catch (error) {
      // What came with them is on disk; their sender sends all of it again.
      settle(job, known, undefined, error)
    }
  }

  /** All of it is on disk; those at these places were before, and `others` have another id. */
  function settle(
    job: Job,
    known: ReadonlySet<number>,
    others?: ReadonlyMap<number, StoredLog>,
    error?: unknown,
  ) {
    const { batch } = job.arrived
    const fresh = without(job.arrived, known, others)
    if (known.size > 0) {
      const before = batch.logs().filter((_, place) => known.has(place))
      counters.duplicates(job.way, tallyOf(before))
    }
    job.duplicates = known.size
    if (fresh.batch.size > 0) {
      counters.stored(job.way, fresh.tally, batch.receivedAt)
      onStored?.(fresh.tally, batch.receivedAt)
    }
    finish(job, error)
    listeners.tell(fresh)
  }

  return (batch: Job[]): Promise<void> =>
    batch.every(({ arrived }) => arrived.packed) ? appendPacked(batch) : appendAll(batch)
}
