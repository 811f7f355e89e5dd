import type { Query } from '@manara/log-query/ast'

/** Every field a query names. */
export function queryFields(query: Query): string[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.queries.flatMap(queryFields)
    case 'not':
      return queryFields(query.query)
    case 'field':
      return query.match.kind === 'same-as' ? [query.field, query.match.field] : [query.field]
    case 'all':
    case 'text':
      return []
  }
}
