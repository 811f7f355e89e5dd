import type { DetectionRule, RuleCreate } from '@manara/soc-contract/detections'
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

export async function createRule(
  checks: RuleChecks,
  change: ChangeContext,
  body: RuleCreate,
): Promise<DetectionRule> {
  const now = checks.now()
  const { techniques, warnings } = checkRule(body, { ...checks, now })
  const rule = await insertRule(
    change.tx,
    {
      ...body,
      mitre_techniques: techniques,
      sigma: null,
      warnings,
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
