import type {
  DetectionMetrics,
  DetectionRule,
  RuleListQuery,
} from '@manara/soc-contract/detections'
import {
  hasAsked,
  includesAsked,
  mentions,
  pageOf,
  showList,
  showOne,
} from '../../../showcase/query.ts'

export const showRules = (rules: DetectionRule[], query: RuleListQuery) =>
  showList(rules, query, { where })

/** Nothing runs in the showcase: what belongs to a rule of it is an empty list. */
export function showNone(
  rules: DetectionRule[],
  ruleId: string,
  query: { skip: number; limit: number; cursor?: string | undefined },
) {
  showOne('rule', rules, ruleId)
  return pageOf([], query)
}

export function showMetrics(rules: DetectionRule[]): DetectionMetrics {
  const enabled = rules.filter((rule) => rule.enabled)
  return {
    total_rules: rules.length,
    enabled_rules: enabled.length,
    scheduled_rules: enabled.filter((rule) => rule.schedule_enabled).length,
    rules_without_data: 0,
    runs_24h: 0,
    matches_24h: 0,
    suppressed_24h: 0,
    top_rules_by_matches: [],
    noisiest_rules: [],
  }
}

const where = (rule: DetectionRule, query: RuleListQuery) =>
  hasAsked(rule, query, ['kind', 'source', 'enabled', 'schedule_enabled']) &&
  includesAsked(query.tag, rule.tags) &&
  includesAsked(query.technique, rule.mitre_techniques) &&
  mentions(rule, query.q)
