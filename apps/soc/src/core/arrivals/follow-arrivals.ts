import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { createWorker } from '../../db/worker.ts'
import { inPieces } from '../../ports/log-size.ts'
import type { LogStore } from '../../ports/log-store.ts'
import {
  dropCheckpoint,
  type Place,
  readCheckpoint,
  removeVanished,
  saveCheckpoint,
} from './arrivals.store.ts'
import { addBacklog, forgetBacklog, freeBacklog, type Page, renewPage } from './backlog.ts'
import { createBacklogPages } from './backlog-pages.ts'
import { batchOf, type LogBatch } from './log-batch.ts'
import { createWaitingLogs } from './waiting-logs.ts'

export type FollowDeps = Place & {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'scan' | 'engine'>
  isReady(): boolean
  now(): number
  log: Logger
  /** Asked before every look: takes over what has changed. */
  refresh(): Promise<void>
  /** Whether anything is looked for; while not, events need not be kept. */
  isWanted(): boolean
  /** From which arrival on it looks when it does so for the first time. */
  beginsAt(): number
  /** Resolves when what was found is durable. Late are those from the store. */
  look(batch: LogBatch, isLate: boolean): Promise<void>
  /** The oldest arrival of which something is left to do that only memory knows. */
  oldestUnfinished?(): number
  /** How many events may wait in memory; more are read from the store. */
  mostWaiting?: number | undefined
}

const MOST_WAITING = 50_000
// Each look costs a message to a thread and, where something is found, a transaction. As many as are
// read together, so that their text goes on as it is; fewer of large events.
const BATCH = 512
const POLL_MS = 1_000
const SAVE_MS = 5_000
const STOP_MS = 300
// Living ones write every few seconds.
const VANISHED_MS = 30_000
// An event is searchable a moment after its arrival, and may arrive out of order.
const MARGIN_MS = 2 * 60_000
const FARTHEST_BACK_MS = 7 * 86_400_000

export type Arrivals = ReturnType<typeof followArrivals>

/**
 * Looks at every event at least once: as it arrives, from memory, and whatever was missed, because
 * memory was full, an engine away or the process dead, from the store. `look` has to be harmless when
 * it is given an event again. What has to be read from the store is a list in the database, of which
 * processes on one store take a page each; what a vanished process has not looked at goes there too.
 */
export function followArrivals(deps: FollowDeps) {
  const { db, log, now } = deps
  const place: Place = { follower: deps.follower, stream: deps.stream }
  const isShared = deps.logs.engine === 'clickhouse'
  const backlog = { follower: deps.follower, store: isShared ? 'shared' : deps.stream }
  const stopping = new AbortController()
  const { signal } = stopping
  const waiting = createWaitingLogs({ most: deps.mostWaiting ?? MOST_WAITING, batch: BATCH })
  let hasBegun = false
  let isIdle = false
  /** From this arrival on something was missed that the backlog does not hold yet. */
  let missedFrom: number | undefined
  /** Arrival of the oldest event that is being looked at, from memory and from the store. */
  let lookingFrom: number | undefined
  let savedAt = 0
  let tookOverAt = 0

  /** A clock that was set back must not make it wait until it is as late again. */
  const since = (moment: number) => Math.abs(now() - moment)

  const pages = createBacklogPages({
    ...{ db, backlog, now, since, signal },
    async lookAt(page) {
      await lookAtPage(page)
      // What of it is in memory alone is behind the checkpoint, before the page is gone.
      await save()
    },
  })
  const loop = createWorker({ pass, isReady: deps.isReady, pollMs: POLL_MS, gapMs: 0, log })

  function fallBehind(from: number) {
    missedFrom = Math.min(from, missedFrom ?? from)
  }

  async function pass(): Promise<boolean> {
    await deps.refresh()
    if (!deps.isWanted()) return rest()
    if (!hasBegun) await begin()
    await takeOver()
    if (waiting.size > 0) await lookAtWaiting()
    if (missedFrom !== undefined || since(savedAt) >= SAVE_MS) await save()
    const hasRead = await pages.readNext()
    return (hasRead || waiting.size > 0 || missedFrom !== undefined) && !signal.aborted
  }

  /** With nothing to look for there is nothing to make up for later. */
  async function rest(): Promise<boolean> {
    waiting.clear()
    missedFrom = undefined
    if (!isIdle) await dropCheckpoint(db, place)
    hasBegun = false
    isIdle = true
    return false
  }

  /** From where this process was when it ended. */
  async function begin() {
    const farthest = now() - FARTHEST_BACK_MS
    await forgetBacklog(db, deps.follower, farthest)
    if (!isShared) await freeBacklog(db, backlog)
    fallBehind(Math.max((await readCheckpoint(db, place)) ?? deps.beginsAt(), farthest))
    hasBegun = true
    isIdle = false
    pages.askAgain()
  }

  /** Of processes that share the log store: what one that vanished left is anybody's. */
  async function takeOver() {
    if (!isShared || since(tookOverAt) < SAVE_MS) return
    tookOverAt = now()
    await db.transaction().execute(async (tx) => {
      const left = await removeVanished(tx, place, now() - VANISHED_MS)
      if (left === undefined) return
      const from = Math.max(left, now() - FARTHEST_BACK_MS)
      await addBacklog(tx, backlog, { from, to: now() + 1 })
      pages.askAgain()
    })
  }

  /** What was missed first: the checkpoint goes past it. */
  async function save() {
    const missed = missedFrom
    missedFrom = undefined
    const unseen = [waiting.oldest(), lookingFrom, deps.oldestUnfinished?.()]
    const reached = Math.min(now(), ...unseen.map((at) => at ?? Infinity))
    try {
      await db.transaction().execute(async (tx) => {
        if (missed !== undefined) await addBacklog(tx, backlog, { from: missed, to: now() + 1 })
        await saveCheckpoint(tx, place, { until: reached - MARGIN_MS, now: now() })
      })
    } catch (error) {
      if (missed !== undefined) fallBehind(missed)
      throw error
    }
    if (missed !== undefined) pages.askAgain()
    savedAt = now()
  }

  async function lookAtPage(page: Page) {
    const received = { from: page.from, to: page.to }
    const all = { query: { kind: 'all' }, time: {}, received } as const
    for await (const batch of deps.logs.scan(all, { signal })) {
      for (const piece of inPieces(batch, { events: BATCH })) {
        signal.throwIfAborted()
        await look(batchOf(piece.logs), true)
        // What arrives or changes meanwhile does not wait until the past is done.
        await deps.refresh()
        while (waiting.size > 0 && !signal.aborted) await lookAtWaiting()
        if (since(savedAt) < SAVE_MS) continue
        await renewPage(db, page, now())
        await save()
      }
    }
  }

  async function lookAtWaiting() {
    const { batch, letGo } = waiting.take()
    try {
      await look(batch, false)
    } catch (error) {
      fallBehind(batch.receivedAt)
      throw error
    } finally {
      letGo()
    }
  }

  async function look(batch: LogBatch, isLate: boolean) {
    lookingFrom = batch.receivedAt
    try {
      await deps.look(batch, isLate)
    } finally {
      lookingFrom = undefined
    }
  }

  return {
    start() {
      loop.start()
      loop.wake()
    },
    wake: loop.wake,
    fallBehind,
    hasBegun: () => hasBegun,
    /** Never waits and never refuses: what finds no room is read from the store. */
    onStored(stored: LogBatch) {
      if (signal.aborted || isIdle) return
      if (!waiting.offer(stored)) fallBehind(stored.receivedAt)
      loop.wake()
    },
    waiting: () => waiting.size,
    /** Arrival of the oldest event that was not looked at; undefined when all were. */
    unseenSince(): number | undefined {
      const unseen = [waiting.oldest(), missedFrom, pages.from(), lookingFrom]
      const since = Math.min(...unseen.map((at) => at ?? Infinity))
      return since === Infinity ? undefined : since
    },
    /** `end` stops what a look under way may wait for. */
    async stop(end: () => Promise<void> = async () => {}) {
      stopping.abort()
      const ended = loop.stop()
      await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })])
      await end()
      await ended
      if (hasBegun && deps.isReady()) await save().catch(() => {})
    },
  }
}
