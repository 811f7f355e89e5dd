import type { FieldQuery, Pattern, Query, Range, Regex } from '@manara/log-query/ast'
import { isRun } from '@manara/log-query/normalise'
import { SigmaError } from './sigma-error.ts'
import type { SigmaScalar } from './values.ts'
import { writeWildcards } from './wildcards.ts'

/** `Field|modifier: values`, any of which will do. Keywords have no field. */
export type Item = { key: string; values: SigmaScalar[] }

/** Undefined when the query is more than one item. */
export const itemOf = (query: Query): Item | undefined => {
  if (query.kind === 'or') return sharedItem(query.queries)
  if (query.kind === 'all') return { key: '', values: ['*'] }
  if (query.kind === 'text') return fieldItem('', query.match)
  if (query.kind !== 'field') return undefined
  const { field, match } = query
  if (field === '' || field.includes('|'))
    throw new SigmaError(`Sigma cannot name the field ${JSON.stringify(field)}`)
  return fieldItem(field, match)
}

const sharedItem = (queries: Query[]): Item | undefined => {
  const [first, ...others] = queries.map(itemOf)
  if (!first || others.some((item) => item?.key !== first.key)) return undefined
  return { key: first.key, values: [first, ...others].flatMap((item) => item?.values ?? []) }
}

const fieldItem = (field: string, match: FieldQuery['match']): Item => {
  switch (match.kind) {
    case 'exists':
      return { key: `${field}|exists`, values: [true] }
    case 'pattern':
      return patternItem(field, match)
    case 'regex':
      return { key: `${field}|re${flagsOf(match)}`, values: [match.source] }
    case 'range':
      return rangeItem(field, match)
    case 'cidr':
      return { key: `${field}|cidr`, values: [match.network] }
    case 'same-as': {
      const how = match.how === 'equals' ? '' : `|${match.how}`
      return { key: `${field}|fieldref${how}`, values: [match.field] }
    }
  }
}

const flagsOf = ({ flags }: Regex) =>
  (['i', 'm', 's'] as const).map((flag) => (flags[flag] ? `|${flag}` : '')).join('')

const patternItem = (field: string, { parts, isCaseSensitive }: Pattern): Item => {
  const begins = parts.length > 1 && isRun(parts[0])
  const ends = parts.length > 1 && isRun(parts.at(-1))
  const where =
    field === ''
      ? ''
      : begins && ends
        ? '|contains'
        : begins
          ? '|endswith'
          : ends
            ? '|startswith'
            : ''
  const inner = where === '' ? parts : parts.slice(begins ? 1 : 0, ends ? -1 : undefined)
  return {
    key: `${field}${where}${isCaseSensitive ? '|cased' : ''}`,
    values: [writeWildcards(inner)],
  }
}

const rangeItem = (field: string, range: Range): Item => {
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((key) => {
    const bound = range[key]
    return bound === undefined ? [] : [{ key, bound }]
  })
  const [only, ...more] = bounds
  if (field === 'timestamp') throw new SigmaError('Sigma rules have no moments in time')
  if (!only || more.length > 0)
    throw new SigmaError(`Sigma cannot say that one value of ${field} lies between two bounds`)
  if (typeof only.bound === 'string')
    throw new SigmaError(`Sigma compares numbers, not the text ${JSON.stringify(only.bound)}`)
  return { key: `${field}|${only.key}`, values: [only.bound] }
}
