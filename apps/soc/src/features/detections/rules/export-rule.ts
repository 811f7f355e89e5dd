import { conflict } from '@manara/kit/errors'
import { printQuery } from '@manara/log-query/print'
import { exportSigma } from '@manara/sigma/export-sigma'
import { importSigma } from '@manara/sigma/import-sigma'
import type { Level } from '@manara/sigma/rule'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { Severity } from '@manara/soc-contract/severity'
import { ruleQueries } from '../domain/rule-query.ts'

/** As Sigma YAML: the text it came from as long as that still says what the rule does. */
export function exportRule(rule: DetectionRule, now: number): string {
  if (rule.kind !== 'query') {
    const original = rule.sigma ? '; what it was imported from is in sigma.source' : ''
    throw conflict(`a ${rule.kind} rule cannot be written as one Sigma rule${original}`)
  }
  if (rule.sigma && saysTheSame(rule.sigma.source, rule)) return rule.sigma.source
  const [query = { kind: 'all' as const }] = ruleQueries(rule, now)
  const answer = exportSigma({
    title: rule.name,
    id: rule.sigma?.sigma_id ?? rule.id,
    status: 'experimental',
    description: rule.description || null,
    author: rule.created_by,
    date: rule.created_at.slice(0, 10),
    modified: rule.updated_at.slice(0, 10),
    tags: [
      ...new Set([...rule.tags.filter(isSigmaTag), ...rule.mitre_techniques.map(techniqueTag)]),
    ],
    level: LEVELS[rule.alert_severity],
    query,
  })
  if ('reason' in answer) throw conflict(`the rule cannot be written as Sigma: ${answer.reason}`)
  return answer.yaml
}

function saysTheSame(source: string, rule: DetectionRule): boolean {
  const isNarrowed = rule.source || rule.host || rule.match_severity
  const [imported] = importSigma([{ name: 'rule', content: source }]).rules
  return (
    !isNarrowed &&
    imported?.kind === 'query' &&
    imported.aggregation === null &&
    printQuery(imported.query) === rule.query
  )
}

const LEVELS: Record<Severity, Level> = {
  info: 'informational',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}

const isSigmaTag = (tag: string) => /^[a-z0-9-]+\.[a-z0-9_.-]+$/.test(tag)
const techniqueTag = (id: string) => `attack.${id.toLowerCase()}`
