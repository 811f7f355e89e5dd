import type { Query } from '@manara/log-query/ast'
import { stringify } from 'yaml'
import { readCondition } from './condition.ts'
import { type Reading, readSelections } from './detection.ts'
import type { Imported } from './imported.ts'
import { asText, asTexts, isMap, type Plain } from './plain-data.ts'
import { type Logsource, logsourceOf, type SigmaRule } from './rule.ts'
import { SigmaError } from './sigma-error.ts'

/** A document that narrows rules without touching them: its condition has to hold beside theirs. */
export type Filter = {
  file: string
  title: string
  logsource: Logsource
  /** Ids or names; null: every rule of its logsource. */
  rules: Set<string> | null
  /** With the names that the fields have in a rule. */
  query(reading: Reading): Query
  /** The YAML that gives it for this rule alone. */
  sourceFor(rule: SigmaRule): string
}

export const isFilter = (document: Plain): boolean => document.filter !== undefined

export const readFilter = (file: string, document: Plain): Filter => {
  const { filter, ...about } = document
  const { title, logsource } = about
  if (document.detection !== undefined || document.correlation !== undefined)
    throw new SigmaError('filter: it is a document of its own, beside those of its rules')
  if (!isMap(logsource)) throw new SigmaError('logsource is missing')
  if (!isMap(filter)) throw new SigmaError('filter is a map of rules, selections and condition')
  const { rules: named, condition: written, ...selections } = filter
  const rules = asTexts(named)
  if (rules.length === 0) throw new SigmaError('filter: rules is missing')
  const condition = asText(written)
  if (!condition) throw new SigmaError('filter: condition is missing')
  const text = stringify({ ...about, filter: { ...selections, condition } })
  return {
    file,
    title: asText(title) || file,
    logsource: logsourceOf(logsource),
    rules: rules.length === 1 && /^any$/i.test(rules[0] ?? '') ? null : new Set(rules),
    query(reading) {
      try {
        return readCondition(condition, readSelections(selections, reading))
      } catch (error) {
        if (!(error instanceof SigmaError)) throw error
        throw new SigmaError(`filter: ${error.message}`)
      }
    },
    sourceFor: ({ id, name }) =>
      text.replace(
        /^filter:\n/m,
        (key) => `${key}  rules: ${JSON.stringify([id ?? name ?? 'any'])}\n`,
      ),
  }
}

const MOST_MB = 32

/** A filter for thousands of rules stands behind the text of each: all of it has to have room. */
export const createRoom = (): ((text: string) => string) => {
  let left = MOST_MB * 1024 * 1024
  return (text) => {
    left -= text.length
    if (left < 0)
      throw new SigmaError(`its filters would be written more than ${MOST_MB} MB long in all`)
    return text
  }
}

export const isFor = ({ rules, logsource }: Filter, rule: SigmaRule): boolean =>
  (rules === null || namesOf(rule).some((name) => rules.has(name))) &&
  isWithin(rule.logsource ?? {}, logsource)

const namesOf = ({ id, name }: SigmaRule): string[] => [id, name].flatMap((one) => one ?? [])

const isWithin = (logsource: Logsource, wider: Logsource) =>
  (['product', 'category', 'service'] as const).every(
    (key) => wider[key] === undefined || wider[key] === logsource[key],
  )

/** Said with the rule: without a `not` a filter takes in what was meant to be left out. */
export const filterNote = ({ title }: Filter, query: Query): string => {
  const isExclusion = (part: Query) => part.kind === 'not'
  const leavesOut = query.kind === 'and' ? query.queries.every(isExclusion) : isExclusion(query)
  return leavesOut
    ? `the filter "${title}" leaves events out`
    : `the filter "${title}" leaves only events that match it: to leave those out, write "not"`
}

const MOST_TOLD = 5

/** Which of the rules it names it is not for, and why; null when it is for all of them. */
export const whyNotFor = (filter: Filter, read: Imported[]): string | null => {
  if (filter.rules === null)
    return read.some(({ kind, rule }) => kind === 'query' && isFor(filter, rule))
      ? null
      : 'filter: no rule of its logsource is among the imported ones'
  const known = new Map(read.flatMap((one) => namesOf(one.rule).map((name) => [name, one])))
  const reasons = [...filter.rules].flatMap((reference) => {
    const named = known.get(reference)
    if (!named) return `${reference}, which is not among the imported rules: import both together`
    if (named.kind === 'correlation')
      return `${reference}, which is a correlation: name its rules instead`
    return isFor(filter, named.rule) ? [] : `${reference}, whose logsource is another one`
  })
  const more = reasons.length > MOST_TOLD ? `; and ${reasons.length - MOST_TOLD} more` : ''
  return reasons.length === 0
    ? null
    : `filter: not for ${reasons.slice(0, MOST_TOLD).join('; ')}${more}`
}
