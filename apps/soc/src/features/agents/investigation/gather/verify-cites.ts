import type { Cites, Conclusion } from '@manara/soc-contract/investigation'
import type { Kysely } from 'kysely'
import { isRecordId } from '../../../../db/record-id.ts'
import type { Tables } from '../../../../db/tables.ts'
import { existing } from './evidence.store.ts'
import type { Plan } from './plan.ts'
import { withIds } from './queries.ts'

type Cited = Pick<Conclusion, 'findings' | 'techniques' | 'timeline' | 'proposed_actions'>

const MARGIN_MS = 15 * 60_000

/**
 * Whatever is said rests on records that are there now: what does not resolve is dropped, with the
 * claim if nothing is left of it.
 */
export async function verifyCites<C extends Cited>(
  deps: { db: Kysely<Tables>; plan: Plan },
  conclusion: C,
  window: { from: number; to: number },
): Promise<C> {
  const all = [
    ...conclusion.findings.map(({ cites }) => cites),
    ...conclusion.techniques.map(({ cites }) => cites),
    ...conclusion.proposed_actions.map(({ cites }) => cites),
  ]
  const logIds = new Set([
    ...all.flatMap(({ log_ids }) => log_ids),
    ...conclusion.timeline.map(({ log_id }) => log_id),
  ])
  const logs = await logsThere(deps.plan, logIds, window)
  const { alertIds, ruleIds } = await existing(deps.db, {
    alertIds: all.flatMap(({ alert_ids }) => alert_ids).filter(isRecordId),
    ruleIds: all.flatMap(({ rule_ids }) => rule_ids).filter(isRecordId),
  })
  const left = (cites: Cites): Cites => ({
    log_ids: cites.log_ids.filter((id) => logs.has(id)),
    alert_ids: cites.alert_ids.filter((id) => alertIds.has(id)),
    rule_ids: cites.rule_ids.filter((id) => ruleIds.has(id)),
  })
  const kept = <Claim extends { cites: Cites }>(claims: Claim[]): Claim[] =>
    claims
      .map((claim) => ({ ...claim, cites: left(claim.cites) }))
      .filter(({ cites }) => cites.log_ids.length > 0)
  return {
    ...conclusion,
    findings: kept(conclusion.findings),
    techniques: kept(conclusion.techniques),
    proposed_actions: kept(conclusion.proposed_actions),
    timeline: conclusion.timeline.filter(({ log_id }) => logs.has(log_id)),
  }
}

async function logsThere(plan: Plan, ids: Set<string>, window: { from: number; to: number }) {
  if (ids.size === 0) return new Set<string>()
  const asked = {
    step: 'check that everything cited is there',
    query: withIds(ids),
    time: { from: window.from - MARGIN_MS, to: window.to + MARGIN_MS },
  }
  const { logs } = await plan.search(asked, { limit: ids.size, countUpTo: 0 })
  return new Set(logs.map(({ id }) => id))
}
