import { AlertCreate } from '@manara/soc-contract/alerts'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { audienceOf } from '../../../core/identity/sharing.ts'
import type { AlertRaising } from './raise-alerts.ts'

/** A rule found more than is recorded: it is noted on the rule, and somebody has to know. */
export async function tellCapped(
  raising: Pick<AlertRaising, 'raiseAlert'>,
  change: ChangeContext,
  rule: DetectionRule,
  { count, now }: { count: number; now: number },
): Promise<void> {
  if (count === 0) return
  await countCapped(change, rule.id, { count, now })
  const { id, name } = rule
  await change.publish('rule.capped', { id, name, count, audience: audienceOf(rule) })
  await raising.raiseAlert(change, alertOf(rule), 1)
}

export async function countCapped(
  { tx }: Pick<ChangeContext, 'tx'>,
  ruleId: string,
  { count, now }: { count: number; now: number },
): Promise<void> {
  await tx
    .updateTable('detection_rules')
    .set({
      unrecorded_hits: sql<string>`unrecorded_hits + ${count}`,
      capped_at: new Date(now),
    })
    .where('id', '=', ruleId)
    .execute()
}

/** The same each time: it is counted, and opens again when somebody closed it without a remedy. */
const alertOf = ({ id, name }: DetectionRule): AlertCreate =>
  AlertCreate.parse({
    title: `Rule "${name}" finds more than is recorded`.slice(0, 500),
    description:
      'Its hits reached the cap (SOC_RULE_HIT_CAP). Further ones are counted on the rule (unrecorded_hits) and are in no alert. Narrow the query, suppress what is known, or raise the cap, and run the rule over that time again.',
    source: 'detection',
    source_ref: id,
    severity: 'medium',
    tags: ['rule-health'],
  })
