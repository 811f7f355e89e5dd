import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import { printQuery } from '@manara/log-query/print'
import { type Correlation, isTemporal } from '@manara/sigma/correlation'
import type { ImportedCorrelation } from '@manara/sigma/imported'
import type { RuleCreate, Sequence } from '@manara/soc-contract/detections'

type Fields = Partial<Pick<RuleCreate, 'kind' | 'query' | 'threshold' | 'sequence'>>

/** What a rule of ours is made of, with what to know about it, or why there is none. */
export type KindOf = { fields: Fields; notes?: string[] } | { reason: string }

type Count = Omit<Correlation, 'rules'>

const ONLY_UPPER =
  'a count needs a lower limit (gt or gte): too few, or any other number, cannot be told as events arrive'
const UPPER_LEFT_OUT =
  'its upper limit is left out: it fires as soon as the lower one is reached, before anybody knows how many more come'
const ONLY_SOME =
  'a temporal correlation of only some of its rules is not supported: write one for each set of rules, without a condition'
const DIFFERENT_FIELDS =
  'counting several rules whose groups or values are different fields is not supported'

export function correlationKind(imported: ImportedCorrelation): KindOf {
  const { correlation, queries } = imported
  const missing = correlation.rules.find((name) => !queries[name])
  if (missing !== undefined) {
    return { reason: `the correlation needs the rule ${missing}: import both together` }
  }
  if (isTemporal(correlation)) return sequenceKind(imported)
  return countKind(correlation, anyOf(correlation.rules.flatMap((name) => queries[name] ?? [])))
}

/** So many events, or different values of a field, of one group. */
export function countKind(correlation: Count, query: Query): KindOf {
  const { count, valueField, timespanMs, groupBy, aliases } = correlation
  // What all of its rules have under one name is no alias any more.
  if (Object.keys(aliases).length > 0) return { reason: DIFFERENT_FIELDS }
  const least = leastOf(count)
  if (least === undefined) return { reason: ONLY_UPPER }
  const notes = isCapped(count) ? [UPPER_LEFT_OUT] : []
  if (least <= 1) {
    const counted = [...groupBy, ...(valueField === null ? [] : [valueField])].map(isThere)
    return { fields: { kind: 'query', query: printQuery(allOf([query, ...counted])) }, notes }
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
    notes,
  }
}

const isThere = (field: string): Query => ({ kind: 'field', field, match: { kind: 'exists' } })

function sequenceKind({ correlation, queries, counts }: ImportedCorrelation): KindOf {
  const { rules, groupBy, timespanMs, type, count } = correlation
  if (rules.length < 2) return { reason: 'a temporal correlation needs at least two rules' }
  if (leastOf(count) !== rules.length) return { reason: ONLY_SOME }
  const steps: Sequence['steps'] = []
  const notes: string[] = []
  for (const name of rules) {
    const step = stepOf(queries[name] ?? { kind: 'all' }, counts[name])
    if ('reason' in step) return { reason: `its rule ${name}: ${step.reason}` }
    notes.push(...(step.notes ?? []).map((note) => `its rule ${name}: ${note}`))
    const { query = '', threshold } = step.fields
    const group_by = groupBy.map((group) => fieldIn(correlation, group, name))
    steps.push({ query, group_by, ...(threshold && { threshold }) })
  }
  return {
    fields: {
      kind: 'sequence',
      query: printQuery(anyOf(rules.flatMap((name) => queries[name] ?? []))),
      sequence: {
        steps,
        group_by: groupBy,
        window_seconds: Math.ceil(timespanMs / 1_000),
        is_ordered: type === 'temporal_ordered',
      },
    },
    notes,
  }
}

const stepOf = (query: Query, count: Count | undefined): KindOf =>
  count ? countKind(count, query) : { fields: { query: printQuery(query) } }

/** What is exactly so many has been at least so many; undefined when none is too few. */
function leastOf({ gt, gte, eq, neq }: Correlation['count']): number | undefined {
  const limits = [gte, eq, gt === undefined ? undefined : gt + 1, neq === 0 ? 1 : undefined]
  const given = limits.filter((limit) => limit !== undefined)
  return given.length === 0 || eq === 0 || (neq ?? 0) !== 0 ? undefined : Math.max(...given)
}

const isCapped = ({ lt, lte, eq }: Correlation['count']) => (lt ?? lte ?? eq) !== undefined

const fieldIn = ({ aliases }: Correlation, name: string, rule: string) =>
  aliases[name]?.[rule] ?? name
