import type { DetectionRule } from '@manara/soc-contract/detections'
import { earliestArrival } from '../../../core/arrivals/log-batch.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { lookBackMs } from '../domain/evaluate.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { clustersOf, type Stretch, withStretch } from '../domain/stretches.ts'
import { learnBaseline } from '../runs/learn-baseline.ts'
import type { RunDeps } from '../runs/run-rule.ts'
import { type Sink, scanRules, scanWindows, type Watched } from '../runs/scan-rules.ts'
import { type RecordDeps, recordStream } from './record-stream.ts'
import { enabledRulesOf } from './stream.store.ts'

type Touched = { stretches: Stretch[]; arrivedFrom: number }

// At most this part of the time goes into looking again, however often such events come.
const REST_FACTOR = 4
const NEAR_MS = 3_600_000

/**
 * Rules about several events, or about what is new: when an event concerns one, it is evaluated over
 * the stored logs around that event at once instead of at its next scheduled run. One scan serves
 * all rules that are concerned.
 */
export function createWindowWatch(deps: RunDeps & RecordDeps) {
  let touched = new Map<string, Touched>()
  /** Those that are being evaluated: not done before that is recorded. */
  let underWay = new Map<string, Touched>()
  let restsUntil = 0

  function touch(rule: DetectionRule, logs: StoredLog[]) {
    const stretches = logs.map(({ at }) => ({ first: at, last: at }))
    widen(rule.id, { stretches, arrivedFrom: earliestArrival(logs) }, gapOf(rule))
  }

  function widen(ruleId: string, { stretches, arrivedFrom }: Touched, gapMs = NEAR_MS) {
    const known = touched.get(ruleId)
    touched.set(ruleId, {
      stretches: stretches.reduce(
        (all, one) => withStretch(all, one, gapMs),
        known?.stretches ?? [],
      ),
      arrivedFrom: Math.min(arrivedFrom, known?.arrivedFrom ?? Infinity),
    })
  }

  /** How long to wait until it may look again. */
  const restMs = () => Math.max(0, restsUntil - performance.now())

  async function evaluate(): Promise<void> {
    if (touched.size === 0 || restMs() > 0) return
    underWay = touched
    touched = new Map()
    const started = performance.now()
    try {
      await look(underWay)
    } catch (error) {
      for (const [ruleId, stretch] of underWay) widen(ruleId, stretch)
      throw error
    } finally {
      underWay = new Map()
      restsUntil = performance.now() + REST_FACTOR * (performance.now() - started)
    }
  }

  /** By the rules as they are now: one may have been changed or switched off since it was touched. */
  async function look(stretches: Map<string, Touched>) {
    const around = new Map<Watched, Stretch[]>()
    const alone: (Watched & { from: number; to: number })[] = []
    for (const rule of await enabledRulesOf(deps.db, [...stretches.keys()])) {
      const of = stretches.get(rule.id)
      if (!of) continue
      // Not what came since: some of that may be looked at later than what has touched the rule.
      const since = Math.min(of.arrivedFrom, Date.parse(rule.updated_at))
      await learnBaseline(deps, rule, since)
      const queries = ruleQueries(rule, deps.now())
      if (lookBackMs(rule) > 0) around.set({ rule, queries, time: {}, received: {} }, of.stretches)
      else {
        for (const { first, last } of of.stretches) {
          const range = { from: first, to: last + 1 }
          alone.push({ rule, queries, time: range, received: {}, ...range })
        }
      }
    }
    const record: Sink = ({ rule }, hits, settled) => recordStream(deps, [{ rule, hits, settled }])
    await scanWindows(deps.logs, around, record)
    for (const near of clustersOf(alone, NEAR_MS)) await scanRules(deps.logs, near, record)
  }

  const arrivals = () => [...touched.values(), ...underWay.values()]
  return {
    touch,
    evaluate,
    restMs,
    isTouched: () => touched.size > 0,
    /** The oldest arrival that was not evaluated yet. */
    oldest: () => arrivals().reduce((least, of) => Math.min(least, of.arrivedFrom), Infinity),
  }
}

const gapOf = (rule: DetectionRule) => Math.max(NEAR_MS, 2 * lookBackMs(rule))
