import type { DetectionRule } from '@manara/soc-contract/detections'
import { createHourlyCap } from '../../../core/arrivals/hourly-cap.ts'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { Hit } from '../domain/evaluate.ts'
import type { AlertRaising } from '../runs/raise-alerts.ts'
import { countCapped, tellCapped } from '../runs/tell-capped.ts'
import type { HitsOfOne } from './record-stream.ts'

/** So many hits of a rule about single events are recorded in an hour; those beyond are counted and told. */
export function createStreamCap(
  deps: { hitCap: number; now(): number; raising: AlertRaising } & Pick<
    Changes,
    'internalWorkflow'
  >,
) {
  const cap = createHourlyCap(deps.hitCap, deps.now)
  let beyond = new Map<string, { rule: DetectionRule; count: number }>()

  return {
    hitsWithin(rule: DetectionRule, matched: StoredLog[]): HitsOfOne {
      const kept = matched.slice(0, cap.room(rule.id))
      const count = matched.length - kept.length
      if (count > 0) {
        beyond.set(rule.id, { rule, count: count + (beyond.get(rule.id)?.count ?? 0) })
      }
      return { rule, hits: kept.map((log): Hit<StoredLog> => ({ log, members: [log.id] })) }
    },
    /** What was claimed for the first time: looking twice takes no room. */
    recorded: (ruleId: string, fresh: number) => cap.add(ruleId, fresh),
    /** Writes down what was beyond, in one go for many batches. */
    async flush() {
      const left = beyond
      if (left.size === 0) return
      beyond = new Map()
      await deps.internalWorkflow(async (change) => {
        const now = deps.now()
        for (const { rule, count } of left.values()) {
          if (cap.isNews(rule.id)) await tellCapped(deps.raising, change, rule, { count, now })
          else await countCapped(change, rule.id, { count, now })
        }
      })
    },
  }
}
