import type { DetectionRule, RuleCreate, SigmaOrigin } from '@manara/soc-contract/detections'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { beginSchedule } from '../domain/schedule.ts'
import { checkRule, type IsFieldMissing, type MissingFields } from './check-rule.ts'
import { withoutSource } from './rule-record.ts'
import { insertRule } from './rules.store.ts'

export type RuleChecks = {
  isFieldMissing: IsFieldMissing
  missingFields?: MissingFields | undefined
  now(): number
}

/** `extra` is what only an import knows: the Sigma source and what it had to say. */
export async function createRule(
  checks: RuleChecks,
  change: ChangeContext,
  body: RuleCreate,
  extra: { sigma?: SigmaOrigin; warnings?: string[] } = {},
): Promise<DetectionRule> {
  const now = checks.now()
  const { techniques, warnings } = checkRule(body, { ...checks, now })
  const rule = await insertRule(
    change.tx,
    {
      ...body,
      mitre_techniques: techniques,
      sigma: extra.sigma ?? null,
      warnings: [...(extra.warnings ?? []), ...warnings],
      created_by: change.principal.username,
    },
    beginSchedule(body, now),
  )
  await change.audit({
    action: 'rule.create',
    target: `rule:${rule.id}`,
    after: withoutSource(rule),
  })
  return rule
}
