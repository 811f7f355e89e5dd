import type { FieldQuery, Match, Query } from '../ast.ts'
import { fold } from '../fold.ts'

export type IsTelling = (field: string) => boolean

/**
 * What a query says about where its events come from: a query about the fields that tell it, which
 * every matching event matches too. Undefined when it says nothing.
 */
export function sourceOf(query: Query, isTelling: IsTelling): Query | undefined {
  switch (query.kind) {
    case 'and':
      return joined('and', someOf(query.queries, isTelling, sourceOf))
    case 'or':
      return joined('or', allOf(query.queries, isTelling, sourceOf))
    case 'not':
      return opposite(sufficient(query.query, isTelling))
    default:
      return asItIs(query, isTelling)
  }
}

/** Matches nothing that the query does not match. */
function sufficient(query: Query, isTelling: IsTelling): Query | undefined {
  switch (query.kind) {
    case 'and':
      return joined('and', allOf(query.queries, isTelling, sufficient))
    case 'or':
      return joined('or', someOf(query.queries, isTelling, sufficient))
    case 'not':
      return opposite(sourceOf(query.query, isTelling))
    default:
      return asItIs(query, isTelling)
  }
}

type Reading = typeof sourceOf

/** What can be said of some of them. */
const someOf = (queries: Query[], isTelling: IsTelling, reading: Reading) =>
  queries.flatMap((query) => reading(query, isTelling) ?? [])

/** Nothing, unless something can be said of each. */
function allOf(queries: Query[], isTelling: IsTelling, reading: Reading): Query[] {
  const said = someOf(queries, isTelling, reading)
  return said.length === queries.length ? said : []
}

function joined(kind: 'and' | 'or', queries: Query[]): Query | undefined {
  return queries.length > 1 ? { kind, queries } : queries[0]
}

const opposite = (query: Query | undefined): Query | undefined => query && { kind: 'not', query }

function asItIs(query: Query, isTelling: IsTelling): FieldQuery | undefined {
  if (query.kind !== 'field' || !isTelling(query.field)) return undefined
  return query.match.kind === 'exists' || wholeText(query.match) !== undefined ? query : undefined
}

/** The one text, folded, that a value has to be. */
export function wholeText(match: Match): string | undefined {
  if (match.kind !== 'pattern' || match.isCaseSensitive) return undefined
  const isText = match.parts.every((part) => typeof part === 'string')
  return isText ? fold(match.parts.join('')) : undefined
}
