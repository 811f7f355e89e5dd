import type { DetectionRule } from '@manara/soc-contract/detections'

export type Draft = Partial<DetectionRule> &
  Pick<DetectionRule, 'name' | 'query' | 'alert_severity'>

/** What stands in the fields of the editor. */
export const valuesOf = (rule: Draft) => ({
  ...{ name: rule.name, query: rule.query, alert_severity: rule.alert_severity },
  source: rule.source ?? '',
  mitre_techniques: rule.mitre_techniques?.join(', ') ?? '',
  description: rule.description ?? '',
  auto_create_case: rule.auto_create_case ?? false,
  enabled: rule.enabled ?? true,
})
export type Values = ReturnType<typeof valuesOf>

export const NAMES = Object.keys(
  valuesOf({ name: '', query: '', alert_severity: 'low' }),
) as (keyof Values)[]

/** As the service takes it. */
export const bodyOf = ({ source, mitre_techniques, ...values }: Values) => ({
  ...values,
  source: source || null,
  mitre_techniques: mitre_techniques.split(/[\s,]+/).filter(Boolean),
})

/** What stands there and is not saved: all that was typed, and what it began with. */
export type Unsaved = { base: Draft; typed: Values }

export const isChanged = ({ base, typed }: Unsaved): boolean =>
  JSON.stringify(bodyOf(typed)) !== JSON.stringify(bodyOf(valuesOf(base)))

/**
 * The rule was changed elsewhere while somebody typed: what they left alone is as it is now, what
 * they typed stays; `both` is what both have changed.
 */
export function merged(base: Values, typed: Values, now: Values) {
  const isMine = (name: keyof Values) => typed[name] !== base[name]
  const values = Object.fromEntries(
    NAMES.map((name) => [name, (isMine(name) ? typed : now)[name]]),
  ) as Values
  const both = NAMES.filter(
    (name) => isMine(name) && now[name] !== base[name] && now[name] !== typed[name],
  )
  return { values, both }
}
