import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import { printQuery } from '@manara/log-query/print'
import type { Correlation } from '@manara/sigma/correlation'
import type { ImportedCorrelation } from '@manara/sigma/imported'
import type { RuleCreate } from '@manara/soc-contract/detections'

type Fields = Partial<Pick<RuleCreate, 'kind' | 'query' | 'threshold' | 'sequence'>>

/** What a rule of ours is made of, or why there is none. */
export type KindOf = { fields: Fields } | { reason: string }

const DIFFERENT_FIELDS =
  'counting several rules whose groups or values are different fields is not supported'

export function correlationKind({ correlation, queries }: ImportedCorrelation): KindOf {
  const missing = correlation.rules.find((name) => !queries[name])
  if (missing !== undefined) {
    return { reason: `the correlation needs the rule ${missing}: import both together` }
  }
  const ofRules = correlation.rules.flatMap((name) => queries[name] ?? [])
  const query = anyOf(ofRules)
  if (correlation.type === 'event_count' || correlation.type === 'value_count') {
    // What all of its rules have under one name is no alias any more.
    return Object.keys(correlation.aliases).length > 0
      ? { reason: DIFFERENT_FIELDS }
      : countKind(correlation, query)
  }
  return sequenceKind(correlation, queries, printQuery(query))
}

/** So many events, or different values of a field, of one group. */
export function countKind(correlation: Omit<Correlation, 'rules'>, query: Query): KindOf {
  const { count, valueField, timespanMs, groupBy } = correlation
  const least = leastOf(count)
  if (least === undefined) {
    return { reason: 'a count with an upper limit is not supported: only gt and gte are' }
  }
  if (least <= 1) {
    const counted = [...groupBy, ...(valueField === null ? [] : [valueField])].map(isThere)
    return { fields: { kind: 'query', query: printQuery(allOf([query, ...counted])) } }
  }
  return {
    fields: {
      kind: 'threshold',
      query: printQuery(query),
      threshold: {
        count: least,
        group_by: groupBy,
        window_seconds: Math.ceil(timespanMs / 1_000),
        distinct_field: valueField,
      },
    },
  }
}

const isThere = (field: string): Query => ({ kind: 'field', field, match: { kind: 'exists' } })

function sequenceKind(
  correlation: Correlation,
  queries: ImportedCorrelation['queries'],
  query: string,
): KindOf {
  const { rules, groupBy, timespanMs, type, count } = correlation
  if (rules.length < 2) return { reason: 'a temporal correlation needs at least two rules' }
  if (leastOf(count) !== rules.length) {
    return { reason: 'a temporal correlation of only some of its rules is not supported' }
  }
  const steps = rules.map((name) => ({
    query: printQuery(queries[name] ?? { kind: 'all' }),
    group_by: groupBy.map((group) => fieldIn(correlation, group, name)),
  }))
  return {
    fields: {
      kind: 'sequence',
      query,
      sequence: {
        steps,
        group_by: groupBy,
        window_seconds: Math.ceil(timespanMs / 1_000),
        is_ordered: type === 'temporal_ordered',
      },
    },
  }
}

function leastOf({ gt, gte, ...limits }: Correlation['count']): number | undefined {
  if (Object.keys(limits).length > 0) return undefined
  return Math.max(gte ?? 0, gt === undefined ? 0 : gt + 1)
}

const fieldIn = ({ aliases }: Correlation, name: string, rule: string) =>
  aliases[name]?.[rule] ?? name
