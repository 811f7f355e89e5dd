import type { DetectionRule } from '@manara/soc-contract/detections'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { Hit } from '../domain/evaluate.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { learnBaseline } from '../runs/learn-baseline.ts'
import type { RunDeps } from '../runs/run-rule.ts'
import { scanRules, type Watched } from '../runs/scan-rules.ts'
import { type RecordDeps, recordStream } from './record-stream.ts'
import { earliestArrival } from './waiting-logs.ts'

type Stretch = { rule: DetectionRule; from: number; to: number; arrivedFrom: number }

// At most this part of the time goes into looking again, however often such events come.
const REST_FACTOR = 4

/**
 * Rules about several events, or about what is new: when an event concerns one, it is evaluated over
 * the stored logs around that event at once instead of at its next scheduled run. One scan serves
 * all rules that are concerned.
 */
export function createWindowWatch(deps: RunDeps & RecordDeps) {
  let touched = new Map<string, Stretch>()
  let restsUntil = 0

  function touch(rule: DetectionRule, logs: StoredLog[]) {
    const times = logs.map(({ at }) => at)
    widen({
      rule,
      from: times.reduce((a, b) => Math.min(a, b)),
      to: times.reduce((a, b) => Math.max(a, b)),
      arrivedFrom: earliestArrival(logs),
    })
  }

  function widen(stretch: Stretch) {
    const known = touched.get(stretch.rule.id) ?? stretch
    touched.set(stretch.rule.id, {
      rule: stretch.rule,
      from: Math.min(stretch.from, known.from),
      to: Math.max(stretch.to, known.to),
      arrivedFrom: Math.min(stretch.arrivedFrom, known.arrivedFrom),
    })
  }

  /** How long to wait until it may look again. */
  const restMs = () => Math.max(0, restsUntil - performance.now())

  async function evaluate(): Promise<void> {
    if (touched.size === 0 || restMs() > 0) return
    const stretches = touched
    touched = new Map()
    const started = performance.now()
    try {
      await look([...stretches.values()])
    } catch (error) {
      for (const stretch of stretches.values()) widen(stretch)
      throw error
    } finally {
      restsUntil = performance.now() + REST_FACTOR * (performance.now() - started)
    }
  }

  async function look(stretches: Stretch[]) {
    const watched: Watched[] = []
    for (const { rule, from, to, arrivedFrom } of stretches) {
      await learnBaseline(deps, rule, arrivedFrom)
      const queries = ruleQueries(rule, deps.now())
      watched.push({ rule, queries, time: { from, to: to + 1 }, received: {} })
    }
    await scanRules(deps.logs, watched, ({ rule }, hits: Hit<StoredLog>[]) =>
      recordStream(deps, [{ rule, hits }]),
    )
  }

  return { touch, evaluate, restMs, isTouched: () => touched.size > 0 }
}
