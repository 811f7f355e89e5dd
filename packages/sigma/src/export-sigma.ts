import type { Query } from '@manara/log-query/ast'
import { normalise } from '@manara/log-query/normalise'
import { stringify } from 'yaml'
import { OWN_PRODUCT } from './default-mappings.ts'
import { type Item, itemOf } from './export-item.ts'
import type { Plain } from './plain-data.ts'
import type { SigmaRule } from './rule.ts'
import { SigmaError } from './sigma-error.ts'

export type ExportableRule = Pick<SigmaRule, 'title'> &
  Partial<Omit<SigmaRule, 'title' | 'logsource' | 'techniques' | 'fields' | 'name'>> & {
    query: Query
  }

/**
 * A rule of ours as Sigma, for the logsource `product: manara` whose fields are named as in queries:
 * importing it gives a query that finds the same. Or why Sigma cannot say it.
 */
export const exportSigma = (rule: ExportableRule): { yaml: string } | { reason: string } => {
  try {
    const { query, ...about } = rule
    const detection = detectionOf(normalise(query))
    const logsource = { product: OWN_PRODUCT, service: 'logs' }
    const { falsepositives, level, ...head } = about
    const document = { ...head, logsource, detection, falsepositives, level }
    return { yaml: stringify(withoutEmpty(document), { lineWidth: 0 }) }
  } catch (error) {
    if (error instanceof SigmaError) return { reason: error.message }
    throw error
  }
}

const withoutEmpty = (document: Plain): Plain =>
  Object.fromEntries(
    Object.entries(document).filter(
      ([, value]) =>
        value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )

const detectionOf = (query: Query): Plain => {
  const selections: unknown[] = []
  const name = (body: unknown): string => {
    selections.push(body)
    return `selection_${selections.length}`
  }
  const condition = conditionOf(query, name)
  if (selections.length === 1)
    return { selection: selections[0], condition: condition.replaceAll('selection_1', 'selection') }
  return {
    ...Object.fromEntries(selections.map((body, index) => [`selection_${index + 1}`, body])),
    condition,
  }
}

type Name = (body: unknown) => string

const conditionOf = (query: Query, name: Name): string => {
  const item = itemOf(query)
  if (item) return name(bodyOf([item]))
  if (query.kind === 'not') return `not ${operand(query.query, name)}`
  if (query.kind === 'or') return query.queries.map((inner) => operand(inner, name)).join(' or ')
  if (query.kind === 'and') return conjunction(query.queries, name)
  throw new SigmaError('Sigma cannot say this')
}

const operand = (query: Query, name: Name): string => {
  const condition = conditionOf(query, name)
  return /^(?:not )?\w+$/.test(condition) ? condition : `(${condition})`
}

/** Fields that must all match stand in one map, as long as no key comes twice. */
const conjunction = (queries: Query[], name: Name): string => {
  const together: Item[] = []
  const rest: Query[] = []
  for (const query of queries) {
    const item = itemOf(query)
    const fits = item && !item.key.startsWith('|') && item.key !== ''
    if (fits && together.every(({ key }) => key !== item.key)) together.push(item)
    else rest.push(query)
  }
  const conditions = together.length > 0 ? [name(bodyOf(together))] : []
  return [...conditions, ...rest.map((query) => operand(query, name))].join(' and ')
}

const bodyOf = (items: Item[]): unknown => {
  const [first] = items
  if (first?.key === '') return first.values
  return Object.fromEntries(
    items.map(({ key, values }) => [key, values.length === 1 ? values[0] : values]),
  )
}
