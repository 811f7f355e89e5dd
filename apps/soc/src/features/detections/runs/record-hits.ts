import type { LogRecord } from '@manara/log-query/event'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { alertGroups } from '../domain/alert-groups.ts'
import type { Hit } from '../domain/evaluate.ts'
import {
  activeSuppressions,
  countHeld,
  findSuppressionOf,
} from '../suppressions/suppressions.store.ts'
import { claimHits, type Finder } from './claim-hits.ts'
import { holdHits } from './hold-hits.ts'
import { learnTerms } from './learn-terms.ts'
import { type AlertRaising, raiseAlerts } from './raise-alerts.ts'
import type { Settled } from './scan-rules.ts'
import { inherit, supersede, supersedeOthers } from './supersede-hits.ts'

export type HitsOfRule<Log extends LogRecord> = {
  rule: DetectionRule
  hits: Hit<Log>[]
  settled?: Settled | undefined
  now: number
} & Finder

export type Recorded<Log extends LogRecord> = {
  /** What matched and was not suppressed; of a scheduled run, what none before it has counted. */
  matched: Log[]
  held: Log[]
  /** Of the alerts that were raised or counted again, each once. */
  alertIds: string[]
  /** How many were claimed for the first time. */
  fresh: number
}

/**
 * Decides about what a rule found, claims it and raises its alerts, all in the caller's
 * transaction: an event raises an alert once, whoever finds it first and however often it is found.
 * Who records hits of several rules in one transaction does so in the order of their ids.
 */
export async function recordHits<Log extends LogRecord>(
  raising: AlertRaising,
  change: ChangeContext,
  found: HitsOfRule<Log>,
): Promise<Recorded<Log>> {
  const { rule, hits: all, settled, now, ...finder } = found
  const isNothing = (all.length === 0 && !settled) || !(await holdHits(change.tx, rule.id))
  if (isNothing) return { matched: [], held: [], alertIds: [], fresh: 0 }
  const { hits, replaced } = await learnTerms(change.tx, rule, all)
  const heirless = [
    ...(await supersede(change.tx, rule.id, replaced)),
    ...(settled ? await supersedeOthers(change.tx, rule.id, settled) : []),
  ]

  const suppressions = await activeSuppressions(change.tx, rule.id, now)
  const heldBy = findSuppressionOf(suppressions)
  const held = Map.groupBy(hits, ({ log }) => heldBy(log)?.id)
  const free = held.get(undefined) ?? []
  held.delete(undefined)

  const claimed = await claimHits(change.tx, { rule, finder, now, hits: free, isHeld: false })
  const inherited = await inherit(change.tx, rule.id, claimed.fresh, heirless)
  const fresh = claimed.fresh.slice(inherited)
  const alertIds = await raiseAlerts(raising, change, rule, alertGroups(rule, fresh))
  const heldLogs: Log[] = []
  let count = claimed.fresh.length
  for (const [suppressionId, group] of held) {
    const kept = await claimHits(change.tx, { rule, finder, now, hits: group, isHeld: true })
    await countHeld(change.tx, suppressionId as string, kept.fresh.length, now)
    count += kept.fresh.length
    heldLogs.push(...kept.counted.map(({ log }) => log))
  }
  return { matched: claimed.counted.map(({ log }) => log), held: heldLogs, alertIds, fresh: count }
}
