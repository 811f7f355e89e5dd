import { invalid } from '@manara/kit/errors'
import type { Query } from '@manara/log-query/ast'
import { allOf } from '@manara/log-query/normalise'
import { parseQuery } from '@manara/log-query/parse'
import { describeQueryError } from '@manara/log-query/query-error'
import type { RuleFields } from '@manara/soc-contract/detections'
import { criteriaQuery } from './criteria.ts'

export type Queried = Pick<
  RuleFields,
  'query' | 'source' | 'host' | 'match_severity' | 'kind' | 'sequence'
>

/**
 * What the rule looks for in one event: one query, or one for each step of a sequence, all of them
 * narrowed by source, host and severity. Throws 400 with the column of what cannot be read.
 */
export function ruleQueries(rule: Queried, now: number): Query[] {
  const common = allOf([read('query', rule.query, now), ...narrowing(rule)])
  if (rule.kind !== 'sequence' || !rule.sequence) return [common]
  return rule.sequence.steps.map((step, index) =>
    allOf([common, read(`sequence.steps.${index}.query`, step.query, now)]),
  )
}

/** Which events the rule looks at, before it looks for anything in them. */
export function sourceQuery(
  rule: Queried & { source_query?: string | null | undefined },
  now: number,
): Query {
  const text = rule.source_query
  return allOf([...(text ? [read('source_query', text, now)] : []), ...narrowing(rule)])
}

function read(field: string, text: string, now: number): Query {
  const parsed = parseQuery(text, now)
  if (!parsed.ok) throw invalid(field, describeQueryError(parsed.error))
  return parsed.query
}

/** Values as in suppressions: `web-*` and networks are understood. */
function narrowing({ source, host, match_severity }: Queried): Query[] {
  const wanted = Object.entries({ source, host, severity: match_severity })
  return wanted.flatMap(([field, value]) => (value ? [criteriaQuery({ [field]: value })] : []))
}
