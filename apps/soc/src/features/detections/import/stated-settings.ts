import type { RuleFields } from '@manara/soc-contract/detections'
import type { Draft } from './drafts.ts'

/** What a rule finds and what it is called: always as its file has it. */
export const CONTENT = [
  'name',
  'description',
  'query',
  'alert_severity',
  'mitre_techniques',
  'tags',
  'kind',
  'threshold',
  'new_terms',
  'sequence',
] as const satisfies (keyof RuleFields)[]

const SETTINGS = [
  'source',
  'host',
  'match_severity',
  'alert_title_template',
  'alert_description_template',
  'auto_create_case',
  'schedule_enabled',
  'schedule_interval_minutes',
  'sharing_mode',
  'shared_with_roles',
  'enabled',
] as const satisfies (keyof RuleFields)[]

/** What people may set on a rule, where its file says it too. */
export function statedSettings({ rule, stated }: Pick<Draft, 'rule' | 'stated'>) {
  const names = SETTINGS.filter((name) => stated.includes(name))
  return Object.fromEntries(names.map((name) => [name, rule[name]])) as Partial<RuleFields>
}
