import { asText, asTexts, isMap, type Plain } from './plain-data.ts'
import { SigmaError } from './sigma-error.ts'

const TYPES = ['event_count', 'value_count', 'temporal', 'temporal_ordered'] as const
const COMPARISONS = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq'] as const

/** What a correlation asks, without saying how it is run. */
export type Correlation = {
  type: (typeof TYPES)[number]
  /** Ids or names of the rules whose events count. */
  rules: string[]
  groupBy: string[]
  timespanMs: number
  /** How many events, different values, or rules; all comparisons hold at once. */
  count: Partial<Record<(typeof COMPARISONS)[number], number>>
  /** What is counted by `value_count`. */
  valueField: string | null
  /** The name of a group, or of what is counted → rule → the field that holds it there. */
  aliases: Record<string, Record<string, string>>
  /** Whether the rules also raise alerts of their own. */
  generate: boolean
}

export const isTemporal = ({ type }: Pick<Correlation, 'type'>): boolean =>
  type === 'temporal' || type === 'temporal_ordered'

export type Counting = Pick<Correlation, 'rules' | 'generate'>

/** Which rules it names, also where the rest of it is not understood. */
export const countingOf = (body: unknown, generate?: unknown): Counting => ({
  rules: isMap(body) ? asTexts(body.rules) : [],
  // Tools write it inside, the specification beside it.
  generate: ((isMap(body) ? body.generate : undefined) ?? generate) === true,
})

/** Fields are named as it is written: `withNames` makes them those of our events. */
export const readCorrelation = (body: unknown, generate?: unknown): Correlation => {
  if (!isMap(body)) throw new SigmaError('correlation is a map of type, rules, timespan …')
  const type = TYPES.find((known) => known === asText(body.type))
  if (!type)
    throw new SigmaError(`correlation type ${asText(body.type)} is none of ${TYPES.join(', ')}`)
  const { rules, ...counting } = countingOf(body, generate)
  if (rules.length === 0) throw new SigmaError('correlation: rules is missing')
  const { count, valueField } = conditionOf(body.condition, type, rules)
  return {
    type,
    rules,
    groupBy: asTexts(body['group-by']),
    timespanMs: readTimespan(asText(body.timespan) ?? ''),
    count,
    valueField,
    aliases: aliasesOf(body.aliases),
    ...counting,
  }
}

/** One of its rules: what it may be called, first as in `rules`, and what its fields are in events. */
export type NamedRule = {
  names: [reference: string, ...others: string[]]
  nameOf(field: string): string
}

/** With the names of our events. What is called differently from rule to rule is an alias. */
export const withNames = (
  correlation: Correlation,
  rules: NamedRule[],
  onLeftOut: (alias: string, rule: string) => void,
): Correlation => {
  const fieldIn = ({ names, nameOf }: NamedRule, name: string): string => {
    const { [name]: alias } = correlation.aliases
    const called = names.find((one) => alias?.[one] !== undefined)
    if (alias && !called) onLeftOut(name, names[0])
    return nameOf(called === undefined ? name : (alias?.[called] ?? name))
  }
  const aliases: Correlation['aliases'] = {}
  const nameIn = (written: string): string => {
    const named = rules.map((rule) => [rule.names[0], fieldIn(rule, written)] as const)
    const [first] = named
    if (first && named.every(([, field]) => field === first[1])) return first[1]
    aliases[written] = Object.fromEntries(named)
    return written
  }
  const groupBy = correlation.groupBy.map(nameIn)
  const valueField = correlation.valueField && nameIn(correlation.valueField)
  return { ...correlation, groupBy, aliases, valueField }
}

const UNITS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

export const readTimespan = (text: string): number => {
  const [, count, unit = ''] = /^(\d+)\s*([smhdw])$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (!factor || Number(count) === 0)
    throw new SigmaError(`the timespan ${JSON.stringify(text)} is not like 30s, 15m, 4h, 1d or 1w`)
  return Number(count) * factor
}

const conditionOf = (
  body: unknown,
  type: Correlation['type'],
  rules: string[],
): Pick<Correlation, 'count' | 'valueField'> => {
  if (isTemporal({ type }) && (body === undefined || isAllOf(asText(body), rules)))
    return { count: { gte: rules.length }, valueField: null }
  if (!isMap(body))
    throw new SigmaError(
      isTemporal({ type })
        ? `correlation: the condition ${JSON.stringify(asText(body)?.slice(0, 100))} is no expression that is understood: write ${JSON.stringify(rules.join(' and '))}, or leave it out, for all rules within the timespan`
        : 'correlation: the condition is a map such as gte: 10, no expression',
    )
  const { field, ...comparisons } = body
  const fields = asTexts(field)
  if (type === 'value_count' && fields.length !== 1)
    throw new SigmaError('correlation: value_count needs one field in its condition')
  return { count: countOf(comparisons), valueField: fields[0] ?? null }
}

/** `a and b` of a temporal correlation, where it says no more than that all are needed. */
const isAllOf = (condition: string | null, rules: string[]): boolean => {
  const named = condition?.split(/\s+and\s+/i) ?? []
  return named.length === rules.length && rules.every((rule) => named.includes(rule))
}

const countOf = (comparisons: Plain): Correlation['count'] => {
  const count: Correlation['count'] = {}
  for (const [key, value] of Object.entries(comparisons)) {
    const comparison = COMPARISONS.find((known) => known === key)
    if (!comparison || typeof value !== 'number' || !Number.isInteger(value))
      throw new SigmaError(`correlation: the condition ${key}: ${asText(value)} is not understood`)
    count[comparison] = value
  }
  if (Object.keys(count).length === 0) throw new SigmaError('correlation: the condition is empty')
  return count
}

const aliasesOf = (body: unknown): Correlation['aliases'] => {
  if (body === undefined) return {}
  if (!isMap(body)) throw new SigmaError('correlation: aliases is a map')
  const aliases: Correlation['aliases'] = {}
  for (const [alias, byRule] of Object.entries(body)) {
    if (!isMap(byRule)) throw new SigmaError(`correlation: the alias ${alias} is a map of rules`)
    aliases[alias] = Object.fromEntries(
      Object.entries(byRule).map(([rule, name]) => [rule, asText(name) ?? '']),
    )
  }
  return aliases
}
