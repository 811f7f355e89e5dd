import { isDeepStrictEqual } from 'node:util'
import { conflict } from '@manara/kit/errors'
import type { DetectionRule, RuleFields, RuleUpdate } from '@manara/soc-contract/detections'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { changeSchedule } from '../domain/schedule.ts'
import { checkRule } from './check-rule.ts'
import type { RuleChecks } from './create-rule.ts'
import { notesAfter } from './import-notes.ts'
import { forgetTerms, lockRule, setRule } from './rules.store.ts'

type Changed = Partial<RuleFields>

/** What the rule finds is another thing afterwards: what a new_terms rule has learnt is void. */
const MEANING = ['query', 'source', 'host', 'match_severity', 'kind', 'new_terms'] as const

export async function updateRule(
  checks: RuleChecks,
  change: ChangeContext,
  id: string,
  { version, ...body }: RuleUpdate,
): Promise<DetectionRule> {
  const now = checks.now()
  const before = await lockRule(change.tx, id, change.principal)
  if (version !== undefined && version !== before.version) {
    throw conflict(`rule ${id} is at version ${before.version}: read it again`)
  }
  const changed = withoutUndefined(body)
  const asked: RuleFields = { ...before, ...changed }
  // One of before that nobody changes must not keep the rest from being changed.
  const isKept = asked.match_severity === before.match_severity
  const checked = isKept ? { ...asked, match_severity: null } : asked
  const { techniques, warnings } = checkRule(checked, { ...checks, now })
  const fields = {
    ...changed,
    mitre_techniques: techniques,
    warnings: [...notesAfter(before, asked), ...warnings],
  }
  // A new version would keep a starter rule from following its file.
  if (isDeepStrictEqual({ ...before, ...fields }, before)) return before
  const rule = await setRule(change.tx, before.id, {
    ...fields,
    ...changeSchedule(before, asked, now),
  })
  if (MEANING.some((name) => JSON.stringify(rule[name]) !== JSON.stringify(before[name]))) {
    await forgetTerms(change.tx, rule.id)
  }
  const names = Object.keys(changed) as (keyof RuleFields)[]
  await change.audit({
    action: 'rule.update',
    target: `rule:${rule.id}`,
    before: only(before, names),
    after: only(rule, names),
  })
  return rule
}

const only = (rule: DetectionRule, names: (keyof RuleFields)[]) =>
  Object.fromEntries(names.map((name) => [name, rule[name]]))

const withoutUndefined = (body: object): Changed =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
