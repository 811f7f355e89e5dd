import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'

/** Where two fields are compared, each spelling of one meets each of the other; the name itself is first. */
const MOST_COMPARED = 16

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
      const places = placesOf(query.field)
      if (match.kind !== 'same-as') return anyOf(places.map((field) => ({ ...query, field })))
      const others = placesOf(match.field).slice(0, MOST_COMPARED)
      return anyOf(
        places
          .slice(0, MOST_COMPARED)
          .flatMap((field) =>
            others.map((other): Query => ({ ...query, field, match: { ...match, field: other } })),
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
