import type { PatternPart, Query } from '@manara/log-query/ast'
import { cidrRegex } from '@manara/log-query/cidr'
import { allOf, anyOf, patternQuery } from '@manara/log-query/normalise'
import type { Criteria } from '@manara/soc-contract/suppressions'

/** All fields must match; of a list one value is enough. */
export function criteriaQuery(criteria: Criteria): Query {
  return allOf(
    Object.entries(criteria).map(([field, wanted]) =>
      anyOf([wanted].flat().map((value) => valueQuery(field, String(value)))),
    ),
  )
}

function valueQuery(field: string, value: string): Query {
  if (cidrRegex(value) !== undefined) {
    return { kind: 'field', field, match: { kind: 'cidr', network: value } }
  }
  return patternQuery(field, { kind: 'pattern', parts: partsOf(value) })
}

/**
 * `*` and `?` are wildcards, behind a backslash they are themselves. Without any wildcard the value
 * is meant as it is: paths are full of backslashes.
 */
function partsOf(value: string): PatternPart[] {
  if (!/[*?]/.test(value)) return [value]
  return [...value.matchAll(/\\[*?\\]|[*?]|[^*?\\]+|\\/g)].map(([token]) => {
    if (token === '*') return { any: 'run' }
    if (token === '?') return { any: 'one' }
    return token.length === 2 && token.startsWith('\\') ? token.slice(1) : token
  })
}
