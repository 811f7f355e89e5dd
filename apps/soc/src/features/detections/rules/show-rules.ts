import { notFound } from '@manara/kit/errors'
import type {
  DetectionMetrics,
  DetectionRule,
  RuleListQuery,
} from '@manara/soc-contract/detections'
import { pageOf } from '../../../showcase/page-of.ts'

/** The list as it would come from the database, over the showcase. */
export function showRules(rules: DetectionRule[], query: RuleListQuery) {
  return pageOf(
    rules.filter((rule) => matches(rule, query)),
    query,
  )
}

export function showRule(rules: DetectionRule[], id: string): DetectionRule {
  const rule = rules.find((one) => one.id === id)
  if (!rule) throw notFound('rule', id)
  return rule
}

/** Nothing runs in the showcase: what belongs to a rule of it is an empty list. */
export function showNone(
  rules: DetectionRule[],
  ruleId: string,
  query: { skip: number; limit: number; cursor?: string | undefined },
) {
  showRule(rules, ruleId)
  return pageOf([], query)
}

export function showMetrics(rules: DetectionRule[]): DetectionMetrics {
  const enabled = rules.filter((rule) => rule.enabled)
  return {
    total_rules: rules.length,
    enabled_rules: enabled.length,
    scheduled_rules: enabled.filter((rule) => rule.schedule_enabled).length,
    runs_24h: 0,
    matches_24h: 0,
    suppressed_24h: 0,
    top_rules_by_matches: [],
    noisiest_rules: [],
  }
}

function matches(rule: DetectionRule, query: RuleListQuery): boolean {
  const { kind, source, tag, technique, enabled, schedule_enabled, q } = query
  if (kind !== undefined && rule.kind !== kind) return false
  if (source !== undefined && rule.source !== source) return false
  if (tag !== undefined && !rule.tags.includes(tag)) return false
  if (technique !== undefined && !rule.mitre_techniques.includes(technique)) return false
  if (enabled !== undefined && String(rule.enabled) !== enabled) return false
  if (schedule_enabled !== undefined && String(rule.schedule_enabled) !== schedule_enabled) {
    return false
  }
  return q === undefined || JSON.stringify(rule).toLowerCase().includes(q.toLowerCase())
}
