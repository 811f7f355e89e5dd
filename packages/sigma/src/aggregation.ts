import { type Correlation, readTimespan } from './correlation.ts'
import { SigmaError } from './sigma-error.ts'

const COUNT = /^count\(\s*([^)\s]*)\s*\)(?:\s+by\s+([^<>=!]+?))?\s*(>=|<=|>|<|==|=|!=)\s*(\d+)$/i
const COMPARISONS: Record<string, keyof Correlation['count']> = {
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '=': 'eq',
  '==': 'eq',
  '!=': 'neq',
}

/** The old `selection | count(field) by group > 10` with its `timeframe`, as a correlation over itself. */
export const readAggregation = (
  text: string,
  timeframe: string | null,
  nameOf: (field: string) => string,
): Omit<Correlation, 'rules'> => {
  const [, field = '', by = '', sign = '', number] = COUNT.exec(text.trim()) ?? []
  const comparison = COMPARISONS[sign]
  if (!comparison)
    throw new SigmaError(
      `the aggregation "| ${text.trim()}" is not supported: write a correlation document, or count(…) by … > N`,
    )
  if (!timeframe) throw new SigmaError('an aggregation needs a timeframe')
  return {
    type: field === '' ? 'event_count' : 'value_count',
    groupBy: by.split(',').flatMap((name) => (name.trim() === '' ? [] : nameOf(name.trim()))),
    timespanMs: readTimespan(timeframe),
    count: { [comparison]: Number(number) },
    valueField: field === '' ? null : nameOf(field),
    aliases: {},
    generate: false,
  }
}
