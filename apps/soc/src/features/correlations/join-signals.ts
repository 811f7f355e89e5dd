import type { Logger } from '@manara/kit/logging'
import type { SignalCondition } from '@manara/soc-contract/correlations'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { tryInside } from '../../core/change/try-inside.ts'
import { storeCorrelation } from './correlations.store.ts'
import { concerning, correlate } from './domain/correlate.ts'
import { matches, type Signal } from './domain/signal.ts'
import { claimSignals, readSignals } from './read-signals.ts'
import { enabledRules, type StoredRule } from './rules.store.ts'

const AT_ONCE = 1_000
/** Beyond this only the latest around the new ones are looked at. */
const MOST_AROUND = 20_000
const MINUTE = 60_000

/**
 * New signals with all that lies around them, late ones too: what was found, and that they were
 * looked at, is one transaction. Answers whether more are waiting.
 */
export async function joinSignals(
  change: ChangeContext,
  log: Pick<Logger, 'error'>,
): Promise<boolean> {
  const { tx } = change
  const fresh = await claimSignals(tx, AT_ONCE)
  if (fresh.length === 0) return false
  for (const rule of await enabledRules(tx)) {
    const own = concerning(rule, fresh)
    if (own.length === 0) continue
    // One that fails must not keep the others from these signals, for ever.
    const failed = await tryInside(change, (part) => joinBy(rule, part, own))
    if (!failed) continue
    log.error({ err: failed.thrown, rule: rule.id }, 'a correlation rule failed')
    await change.audit({
      action: 'correlation_rule.failed',
      target: `correlation_rule:${rule.id}`,
      after: { name: rule.name, signals: fresh.length },
    })
  }
  return fresh.length === AT_ONCE
}

async function joinBy(rule: StoredRule, change: ChangeContext, fresh: Signal[]) {
  const read = (like: SignalCondition[]) =>
    signalsAround(change, fresh, { span: rule.within_minutes * MINUTE, like })
  // Anchors are rare, the others may be every alert of the place.
  const anchors = await read([rule.anchor])
  if (!anchors.some((one) => matches(one, rule.anchor))) return
  const around = await read([rule.anchor, ...rule.others])
  for (const correlated of correlate(rule, around)) {
    const stored = await storeCorrelation(change.tx, rule, correlated)
    if (!stored) continue
    const { correlation, isNew } = stored
    const action = isNew ? 'correlation.create' : 'correlation.update'
    const { id, title, why, evidence_count } = correlation
    await change.audit({
      action,
      target: `correlation:${id}`,
      after: { id, title, why, evidence_count, rule_id: rule.id },
    })
    await change.publish(isNew ? 'correlation.created' : 'correlation.updated', correlation)
  }
}

/** At the places of the new ones, as far as a rule reaches from an anchor on either side of them. */
function signalsAround(
  { tx }: ChangeContext,
  fresh: Signal[],
  { span, like }: { span: number; like: SignalCondition[] },
): Promise<Signal[]> {
  const times = fresh.map(({ at }) => at)
  return readSignals(tx, {
    from: new Date(Math.min(...times) - 2 * span),
    to: new Date(Math.max(...times) + 2 * span),
    most: MOST_AROUND,
    like,
    at: {
      siteIds: [...new Set(fresh.flatMap(({ site_id }) => site_id ?? []))],
      hosts: [...new Set(fresh.flatMap(({ host }) => host?.toLowerCase() ?? []))],
    },
  })
}
