import { invalid } from '@manara/kit/errors'
import type { Query } from '@manara/log-query/ast'
import { compileWhole } from '@manara/log-query/pattern-test'
import type { RuleFields } from '@manara/soc-contract/detections'
import { Severity } from '@manara/soc-contract/severity'
import { criteriaQuery } from '../domain/criteria.ts'
import { type Technique, techniqueOf } from '../domain/mitre/techniques.ts'
import { queryFields } from '../domain/query-fields.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { fieldPlaceholders } from '../domain/template.ts'

/** That no stored event has a field of this name; false while that cannot be told. */
export type IsFieldMissing = (name: string) => boolean

/** What to say about fields of a query that no event has; nothing while that cannot be told. */
export type MissingFields = (query: Query) => string[]

/**
 * Throws 400, naming the field, for what can never work. Answers the techniques as ATT&CK spells them
 * and warnings about what may not work: a placeholder is only known by the events that have
 * such a field, and they may be yet to come.
 */
export function checkRule(
  rule: RuleFields,
  deps: { isFieldMissing: IsFieldMissing; missingFields?: MissingFields | undefined; now: number },
): { techniques: string[]; warnings: string[] } {
  const techniques = checkFields(rule)
  const { missingFields = () => [] } = deps
  const warnings = [
    ...new Set(ruleQueries(rule, deps.now).flatMap((query) => missingFields(query))),
    ...unknownPlaceholders(rule, deps),
    ...techniques.flatMap(({ id, replaced_by }) =>
      replaced_by ? [`technique ${id} was replaced by ${replaced_by}`] : [],
    ),
  ]
  return { techniques: techniques.map(({ id }) => id), warnings }
}

/** What can be told without looking at any event. */
export function checkFields(rule: RuleFields): Technique[] {
  checkKind(rule)
  checkSharing(rule)
  checkSeverity(rule)
  return rule.mitre_techniques.map(knownTechnique)
}

function knownTechnique(id: string): Technique {
  const technique = techniqueOf(id)
  if (!technique) throw invalid('mitre_techniques', `${id} is no technique of ATT&CK`)
  return technique
}

const PARAMETERS = ['threshold', 'new_terms', 'sequence'] as const

function checkKind(rule: RuleFields) {
  for (const name of PARAMETERS) {
    if (rule.kind === name && !rule[name]) throw invalid(name, `a ${name} rule needs it`)
    if (rule.kind !== name && rule[name]) {
      throw invalid(name, `is for rules of kind ${name}: send null, or kind ${name}`)
    }
  }
  const { steps = [], group_by = [] } = rule.sequence ?? {}
  const odd = steps.findIndex((step) => step.group_by && step.group_by.length !== group_by.length)
  if (odd >= 0) {
    throw invalid(`sequence.steps.${odd}.group_by`, 'must have as many names as sequence.group_by')
  }
}

function checkSharing({ sharing_mode, shared_with_roles }: RuleFields) {
  if (sharing_mode === 'roles' && shared_with_roles.length === 0) {
    throw invalid('shared_with_roles', 'must name a role when sharing_mode is roles')
  }
}

/** With any other the rule would never find an event. */
function checkSeverity({ match_severity }: RuleFields) {
  if (!match_severity) return
  const query = criteriaQuery({ severity: match_severity })
  if (query.kind !== 'field' || query.match.kind === 'exists') return
  const { match } = query
  if (match.kind !== 'pattern' || !Severity.options.some(compileWhole(match))) {
    throw invalid('match_severity', `must be one of ${Severity.options.join(', ')}`)
  }
}

function unknownPlaceholders(
  rule: RuleFields,
  { isFieldMissing, now }: { isFieldMissing: IsFieldMissing; now: number },
): string[] {
  const known = new Set([...ruleQueries(rule, now).flatMap(queryFields), ...parameterFields(rule)])
  return fieldPlaceholders(rule.alert_title_template, rule.alert_description_template)
    .filter((name) => !known.has(name) && isFieldMissing(name))
    .map((name) => `unknown placeholder {${name}}: neither the query nor stored events have it`)
}

function parameterFields({ threshold, new_terms, sequence }: RuleFields): string[] {
  const { steps = [], group_by = [] } = sequence ?? {}
  const counts = [threshold, ...steps.map((step) => step.threshold)].filter(
    (count) => count != null,
  )
  return [
    ...counts.flatMap((count) => [...count.group_by, count.distinct_field ?? []].flat()),
    ...(new_terms?.fields ?? []),
    ...group_by,
    ...steps.flatMap((step) => step.group_by ?? []),
  ]
}
