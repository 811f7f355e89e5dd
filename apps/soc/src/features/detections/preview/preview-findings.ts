import type { AlertCreate } from '@manara/soc-contract/alerts'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { StoredLog } from '../../../ports/log-store.ts'
import { alertGroups } from '../domain/alert-groups.ts'
import type { Hit } from '../domain/evaluate.ts'
import { createNovelty } from '../domain/terms.ts'

const DAY = 86_400_000
const MOST_SAMPLES = 20
const MOST_ALERTS = 1_000

/** What a draft finds, counted and sampled as it comes, oldest first. */
export function createFindings(rule: DetectionRule, time: { from: number; to: number }) {
  const perDay = new Map<string, number>()
  for (let at = time.from; at < time.to + DAY; at += DAY) {
    if (dayOf(at) <= dayOf(time.to - 1)) perDay.set(dayOf(at), 0)
  }
  const alerts = new Map<string, AlertCreate>()
  const isNewTerm = rule.new_terms && createNovelty(rule.new_terms)
  let samples: StoredLog[] = []
  let total = 0

  const isNew = ({ term, log }: Hit) => term === undefined || !isNewTerm || isNewTerm(term, log.at)

  return {
    add(found: Hit<StoredLog>[]) {
      const hits = found.filter(isNew)
      total += hits.length
      samples = [...samples, ...hits.map(({ log }) => log)].slice(-MOST_SAMPLES)
      for (const { log } of hits) perDay.set(dayOf(log.at), (perDay.get(dayOf(log.at)) ?? 0) + 1)
      for (const { alert } of alertGroups(rule, hits)) {
        const key = JSON.stringify([alert.title, alert.source, alert.host])
        // As when they are raised: what reads the same joins the first one, under its indicators.
        if (!alerts.has(key) && alerts.size < MOST_ALERTS) alerts.set(key, alert)
      }
    },
    total: () => total,
    perDay: () => [...perDay].sort().map(([date, matches]) => ({ date, matches })),
    samples: () => samples.toReversed(),
    alerts: () => [...alerts.values()],
  }
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)
