import type { Logger } from '@manara/kit/logging'
import { followArrivals } from '../../../core/arrivals/follow-arrivals.ts'
import { batchOf, earliestArrival, type LogBatch } from '../../../core/arrivals/log-batch.ts'
import type { Hits, SharedRules } from '../../../core/arrivals/matched.ts'
import { createWorker } from '../../../db/worker.ts'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import type { RunDeps } from '../runs/run-rule.ts'
import type { Matcher } from './matcher.ts'
import { type HitsOfOne, recordStream } from './record-stream.ts'
import type { Found } from './rule-set.ts'
import { createSourceLedger } from './source-ledger.ts'
import { enabledRulesOf } from './stream.store.ts'
import { createStreamCap } from './stream-cap.ts'
import type { StreamState } from './stream-metrics.ts'
import { createStreamRules } from './stream-rules.ts'
import { createWindowWatch } from './watch-windows.ts'

export type StreamDeps = RunDeps & {
  /** This process, under the name it will have after a restart. */
  stream: string
  isReady(): boolean
  startMatcher(): Matcher
  /** Rules that are matched where events are read; undefined when none are. */
  shareRules?(rules: SharedRules | undefined): void
  log: Logger
  /** How many events may wait in memory; more are read from the store. */
  mostWaiting?: number
}

const POLL_MS = 1_000
// Rules that were known before and come as changed, since the thread is a new one, have seen all.
const CHANGE_MARGIN_MS = 2 * 60_000

/**
 * Every rule that is on, on every event. An event that was already claimed for a rule raises nothing
 * twice, so it may be looked at again.
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
  const cap = createStreamCap(deps)
  const sources = createSourceLedger(deps)
  let isStale = true
  let refreshedAt = 0
  /** When the newest rule was made or changed, at the last look. */
  let newestChange = 0

  const arrivals = followArrivals({
    ...{ db, log, stream, follower: 'rules', refresh, look },
    logs: deps.logs,
    isReady: deps.isReady,
    now: deps.now,
    isWanted: () => rules.matcher() !== undefined,
    beginsAt: () => newestChange,
    oldestUnfinished: windows.oldest,
    mostWaiting: deps.mostWaiting,
  })
  const evaluator = createWorker({
    pass: evaluateWindows,
    isReady: deps.isReady,
    pollMs: POLL_MS,
    gapMs: 100,
    log,
  })

  async function refresh() {
    if (!isStale) return
    isStale = false
    const now = deps.now()
    try {
      const changes = await rules.refresh()
      newestChange = Math.max(0, ...changes)
      if (arrivals.hasBegun()) fallBehindChanges(changes)
      refreshedAt = now
    } catch (error) {
      isStale = true
      throw error
    }
  }

  /** Events may have come between a change and this moment. */
  function fallBehindChanges(changes: number[]) {
    const unseen = changes.filter((change) => change >= refreshedAt - CHANGE_MARGIN_MS)
    if (unseen.length > 0) arrivals.fallBehind(Math.min(...unseen))
  }

  async function look(batch: LogBatch, isLate: boolean) {
    const matcher = rules.matcher()
    if (!matcher) return
    const versions = rules.versions()
    const { matched } = batch
    const isKnown = matched?.edition === rules.edition()
    const { found, hits, seen } = isKnown ? matched : await matchIn(matcher, batch)
    if (found.length > 0) await act(found, hits, versions, isLate)
    // What is read from the store has mostly been counted as it came.
    if (!isLate) sources.note(seen, batch.receivedAt)
  }

  async function matchIn(matcher: Matcher, batch: LogBatch) {
    try {
      return await matcher.match(batch)
    } catch (error) {
      isStale = true
      await rules.drop()
      throw error
    }
  }

  /** Rules made after the arrival of an event that comes late are not about it. */
  async function act(
    found: Found[],
    hits: Hits,
    versions: ReadonlyMap<string, number>,
    isLate: boolean,
  ) {
    const places = new Map(found.map((one) => [one.rule, one.logs]))
    const single: HitsOfOne[] = []
    for (const rule of await enabledRulesOf(db, [...places.keys()])) {
      // What is new is new since the rule is there, also for an event that waited meanwhile.
      const isSince = isLate || rule.kind === 'new_terms'
      const since = isSince ? Date.parse(rule.created_at) : 0
      const matched = (places.get(rule.id) ?? [])
        .flatMap((place) => hits[place] ?? [])
        .filter(({ received_at }) => received_at >= since)
      if (matched.length === 0) continue
      // Matched by what the rule was before it was changed: looked at again as it is now.
      if (rule.version !== versions.get(rule.id)) {
        isStale = true
        arrivals.fallBehind(earliestArrival(matched))
        continue
      }
      if (rule.kind !== 'query') windows.touch(rule, matched)
      else single.push(cap.hitsWithin(rule, matched))
    }
    await recordStream(deps, single, cap.recorded)
    if (windows.isTouched()) evaluator.wake()
  }

  async function evaluateWindows(): Promise<boolean> {
    await cap.flush()
    await sources.flush()
    await windows.evaluate()
    if (windows.isTouched()) setTimeout(evaluator.wake, windows.restMs()).unref()
    return false
  }

  return {
    start() {
      arrivals.start()
      evaluator.start()
    },
    onStored: arrivals.onStored,
    /** Which rules that are on concern which of these; undefined while there are none. */
    match: async (logs: StoredLog[]) => (await rules.matcher()?.match(batchOf(logs)))?.found,
    state: (): StreamState => ({
      waiting: arrivals.waiting(),
      unseenSince: arrivals.unseenSince(),
    }),
    /** Rules have changed, or may have. */
    refresh() {
      isStale = true
      arrivals.wake()
    },
    async stop() {
      stopping.abort()
      const evaluated = evaluator.stop()
      // Whoever still waits for the thread, for instance to compile thousands of rules, stops now.
      await arrivals.stop(rules.drop)
      await evaluated
      if (deps.isReady()) await Promise.allSettled([cap.flush(), sources.flush(true)])
    },
  }
}
