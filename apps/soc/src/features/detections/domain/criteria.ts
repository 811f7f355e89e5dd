import type { Query } from '@manara/log-query/ast'
import { cidrRegex } from '@manara/log-query/cidr'
import { allOf, anyOf, patternQuery } from '@manara/log-query/normalise'
import { wildcardParts } from '@manara/log-query/wildcards'
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
  return patternQuery(field, { kind: 'pattern', parts: wildcardParts(value) })
}
