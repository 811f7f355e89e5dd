import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@manara/kit/logging'
import { createWorker } from '../../../db/worker.ts'
import type { LogStore, StoredLog, TimeRange } from '../../../ports/log-store.ts'
import type { RunDeps } from '../runs/run-rule.ts'
import type { Matcher } from './matcher.ts'
import { type HitsOfOne, recordStream } from './record-stream.ts'
import {
  dropCheckpoint,
  enabledRulesOf,
  readCheckpoint,
  saveCheckpoint,
  takeOverStreams,
} from './stream.store.ts'
import type { StreamState } from './stream-metrics.ts'
import { createStreamRules } from './stream-rules.ts'
import { createWaitingLogs, earliestArrival } from './waiting-logs.ts'
import { createWindowWatch } from './watch-windows.ts'

export type StreamDeps = RunDeps & {
  /** This process, under the name it will have after a restart. */
  stream: string
  isReady(): boolean
  startMatcher(): Matcher
  log: Logger
  /** How many events may wait in memory; more are caught up from the store. */
  mostWaiting?: number
}

const MOST_WAITING = 50_000
// As text for the thread some 0.2 MB: about a millisecond of the event loop.
const BATCH = 100
const POLL_MS = 1_000
const SAVE_MS = 5_000
const STOP_MS = 300
// Living ones write every few seconds.
const VANISHED_MS = 30_000
// An event is searchable a moment after its arrival, and may arrive out of order.
const MARGIN_MS = 2 * 60_000
const FARTHEST_BACK_MS = 7 * 86_400_000
const FIRST_PAGE_MS = 60_000
const LONGEST_PAGE_MS = 86_400_000
const GOOD_PAGE_MS = 2_000

/**
 * Every rule that is on, on every event as it arrives. Nothing here is needed for completeness: what
 * was missed, because memory was full, an engine away or the process dead, is looked at again from
 * the store, and an event that was already claimed for a rule raises nothing twice.
 */
export function createStream(deps: StreamDeps) {
  const { db, stream, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const logs: LogStore = {
    ...deps.logs,
    scan: (selection) => deps.logs.scan(selection, { signal }),
  }
  const rules = createStreamRules(deps)
  const windows = createWindowWatch({ ...deps, logs })
  const waiting = createWaitingLogs(deps.mostWaiting ?? MOST_WAITING)
  let isStale = true
  let hasBegun = false
  /** No rule is on: events need not be kept. */
  let isIdle = false
  /** From this arrival on, the store has to be asked. */
  let behindFrom: number | undefined
  /** Arrival of the oldest event that is being looked at, in memory and in the store. */
  let lookingFrom: number | undefined
  let catchingUpFrom: number | undefined
  let refreshedAt = 0
  let savedAt = 0
  let tookOverAt = 0

  const loop = createWorker({
    pass,
    isReady: deps.isReady,
    pollMs: POLL_MS,
    gapMs: 0,
    log,
  })
  const evaluator = createWorker({
    pass: evaluateWindows,
    isReady: deps.isReady,
    pollMs: POLL_MS,
    gapMs: 100,
    log,
  })

  function fallBehind(from: number) {
    behindFrom = Math.min(from, behindFrom ?? from)
  }

  async function pass(): Promise<boolean> {
    if (isStale) await refresh()
    if (!rules.matcher()) {
      waiting.clear()
      return false
    }
    await takeOver()
    if (behindFrom !== undefined) await catchUp(behindFrom)
    else await lookAtWaiting()
    return (waiting.size > 0 || behindFrom !== undefined) && !signal.aborted
  }

  async function refresh() {
    isStale = false
    const now = deps.now()
    try {
      const changes = await rules.refresh()
      if (!rules.matcher()) await dropCheckpoint(db, stream)
      else if (!hasBegun) await begin(changes)
      else fallBehindChanges(changes)
      hasBegun = rules.matcher() !== undefined
      isIdle = !hasBegun
      refreshedAt = now
    } catch (error) {
      isStale = true
      throw error
    }
  }

  /**
   * Events may have come between a change and this moment. When the thread was started anew every
   * rule comes as changed; those that were known before have seen all events.
   */
  function fallBehindChanges(changes: number[]) {
    const since = least(changes.filter((change) => change >= refreshedAt - MARGIN_MS))
    if (since !== Infinity) fallBehind(since)
  }

  /** From where this process was when it ended or, the first time, since the newest rule is there. */
  async function begin(changes: number[]) {
    const reached = (await readCheckpoint(db, stream)) ?? -least(changes.map((since) => -since))
    fallBehind(Math.max(reached, deps.now() - FARTHEST_BACK_MS))
  }

  /** Of processes that share the log store: what one that vanished left is anybody's. */
  async function takeOver() {
    const now = deps.now()
    if (logs.engine !== 'clickhouse' || now - tookOverAt < SAVE_MS) return
    tookOverAt = now
    const left = await takeOverStreams(db, stream, { before: now - VANISHED_MS, now })
    if (left !== undefined) fallBehind(Math.max(left, now - FARTHEST_BACK_MS))
  }

  async function lookAtWaiting() {
    const now = deps.now()
    const batch = waiting.take(BATCH)
    if (batch.length > 0) await look(batch)
    const reached = waiting.oldest() ?? now
    if (behindFrom === undefined && now - savedAt >= SAVE_MS) await save(reached)
  }

  /** Never past windows that were not evaluated yet: they are only in memory. */
  async function save(reached: number) {
    await saveCheckpoint(db, stream, Math.min(reached, windows.oldest()) - MARGIN_MS, deps.now())
    savedAt = deps.now()
  }

  /** Page after page by the time of arrival, so that a kill in between costs no more than one. */
  async function catchUp(from: number) {
    behindFrom = undefined
    let reached = from
    let pageMs = FIRST_PAGE_MS
    try {
      for (let isLast = false; !isLast; ) {
        catchingUpFrom = reached
        const began = deps.now()
        isLast = reached + pageMs >= began
        const to = isLast ? began : reached + pageMs
        await lookAtPage({ from: reached, to: isLast ? undefined : to })
        reached = to
        if (behindFrom === undefined) await save(Math.min(reached, waiting.oldest() ?? reached))
        pageMs = nextPage(pageMs, deps.now() - began)
      }
    } catch (error) {
      fallBehind(reached)
      throw error
    } finally {
      catchingUpFrom = undefined
    }
  }

  async function lookAtPage(received: TimeRange) {
    for await (const batch of logs.scan({ query: { kind: 'all' }, time: {}, received })) {
      for (let at = 0; at < batch.length; at += BATCH) {
        signal.throwIfAborted()
        await look(batch.slice(at, at + BATCH), true)
        // What arrives or changes meanwhile does not wait until the past is done.
        if (isStale) await refresh()
        while (waiting.size > 0) await look(waiting.take(BATCH))
      }
    }
  }

  /** Late are those from the store: rules made after their arrival are not about them. */
  async function look(batch: StoredLog[], isLate = false) {
    const matcher = rules.matcher()
    if (!matcher) return
    lookingFrom = earliestArrival(batch)
    const versions = rules.versions()
    try {
      const found = await matcher.match(batch).catch(async (error: unknown) => {
        isStale = true
        await rules.drop()
        throw error
      })
      if (found.length > 0) await act(batch, found, versions, isLate)
    } catch (error) {
      fallBehind(earliestArrival(batch))
      throw error
    } finally {
      lookingFrom = undefined
    }
  }

  async function act(
    batch: StoredLog[],
    found: { rule: string; logs: number[] }[],
    versions: ReadonlyMap<string, number>,
    isLate: boolean,
  ) {
    const places = new Map(found.map((one) => [one.rule, one.logs]))
    const single: HitsOfOne[] = []
    for (const rule of await enabledRulesOf(db, [...places.keys()])) {
      const since = isLate ? Date.parse(rule.created_at) : 0
      const matched = (places.get(rule.id) ?? [])
        .flatMap((place) => batch[place] ?? [])
        .filter(({ received_at }) => received_at >= since)
      if (matched.length === 0) continue
      // Matched by what the rule was before it was changed: looked at again as it is now.
      if (rule.version !== versions.get(rule.id)) {
        isStale = true
        fallBehind(earliestArrival(matched))
        continue
      }
      if (rule.kind !== 'query') windows.touch(rule, matched)
      else single.push({ rule, hits: matched.map((one) => ({ log: one, members: [one.id] })) })
    }
    await recordStream(deps, single)
    if (windows.isTouched()) evaluator.wake()
  }

  async function evaluateWindows(): Promise<boolean> {
    await windows.evaluate()
    if (windows.isTouched()) setTimeout(evaluator.wake, windows.restMs()).unref()
    return false
  }

  return {
    start() {
      loop.start()
      evaluator.start()
      loop.wake()
    },
    /** Never waits and never refuses: what finds no room is caught up. */
    onStored(stored: StoredLog[]) {
      if (signal.aborted || isIdle) return
      const missed = waiting.offer(stored)
      if (missed !== undefined) fallBehind(missed)
      loop.wake()
    },
    /** Which rules that are on concern which of these; undefined while there are none. */
    match: async (logs: StoredLog[]) => rules.matcher()?.match(logs),
    state(): StreamState {
      const unseen = [waiting.oldest(), behindFrom, catchingUpFrom, lookingFrom]
      const since = least(unseen.map((at) => at ?? Infinity))
      return { waiting: waiting.size, unseenSince: since === Infinity ? undefined : since }
    },
    /** Rules have changed, or may have. */
    refresh() {
      isStale = true
      loop.wake()
    },
    async stop() {
      stopping.abort()
      const ended = Promise.all([loop.stop(), evaluator.stop()])
      await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })])
      // Whoever still waits for the thread, for instance to compile thousands of rules, stops now.
      await rules.drop()
      await ended
      const isCaughtUp = behindFrom === undefined && !windows.isTouched()
      if (hasBegun && isCaughtUp && deps.isReady()) {
        await save(waiting.oldest() ?? deps.now()).catch(() => {})
      }
    },
  }
}

/** As much of the past as is read in a moment: days of silence, or seconds of a flood. */
const nextPage = (pageMs: number, tookMs: number) =>
  tookMs > GOOD_PAGE_MS
    ? Math.max(FIRST_PAGE_MS, pageMs / 4)
    : Math.min(LONGEST_PAGE_MS, pageMs * 4)

const least = (moments: number[]) => moments.reduce((a, b) => Math.min(a, b), Infinity)
