import type { Query } from '@manara/log-query/ast'
import { allOf, patternQuery } from '@manara/log-query/normalise'
import { wildcardParts } from '@manara/log-query/wildcards'
import { type Asked, type Selection, selectionOf } from '../search/domain/selection.ts'

type Hunted = Pick<Asked, 'query' | 'source' | 'host' | 'severity'>
type Time = Pick<Asked, 'from' | 'to'>

/** As in rules: source and host take wildcards (`web-*`), and an empty one narrows nothing. */
export function huntSelection(hunt: Hunted, time: Time, now: number): Selection {
  const { query, source, host, severity } = hunt
  const selection = selectionOf({ query, severity, ...time }, now, 'query')
  const narrowed = [...like('source', source), ...like('host', host), selection.query]
  return { ...selection, query: allOf(narrowed) }
}

function like(field: string, value: string | null | undefined): Query[] {
  if (!value) return []
  return [patternQuery(field, { kind: 'pattern', parts: wildcardParts(value) })]
}
