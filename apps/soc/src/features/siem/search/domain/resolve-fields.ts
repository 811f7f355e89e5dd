import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'

/** The query with every field looked for in all the places that its name may mean. */
export function resolveFields(query: Query, placesOf: (name: string) => string[]): Query {
  switch (query.kind) {
    case 'and':
      return allOf(query.queries.map((one) => resolveFields(one, placesOf)))
    case 'or':
      return anyOf(query.queries.map((one) => resolveFields(one, placesOf)))
    case 'not':
      return { kind: 'not', query: resolveFields(query.query, placesOf) }
    case 'field': {
      const { match } = query
      const matches =
        match.kind === 'same-as'
          ? placesOf(match.field).map((field) => ({ ...match, field }))
          : [match]
      return anyOf(
        placesOf(query.field).flatMap((field) =>
          matches.map((one): Query => ({ kind: 'field', field, match: one })),
        ),
      )
    }
    default:
      return query
  }
}

/** The names of the fields that a query asks about, each once. */
export function fieldsIn(query: Query): string[] {
  const names = new Set<string>()
  const walk = (one: Query) => {
    if (one.kind === 'and' || one.kind === 'or') one.queries.forEach(walk)
    else if (one.kind === 'not') walk(one.query)
    else if (one.kind === 'field') {
      names.add(one.field)
      if (one.match.kind === 'same-as') names.add(one.match.field)
    }
  }
  walk(query)
  return [...names]
}
