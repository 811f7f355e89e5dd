import type { Query } from '../ast.ts'

/**
 * Fields no matching event may have all of, as in `NOT (Channel:* AND EventID:*)`: what tells the
 * events of one product from those of another. Undefined when nothing of the kind is asked.
 */
export function barredFields(query: Query): string[] | undefined {
  const demands = query.kind === 'and' ? query.queries : [query]
  for (const demand of demands) {
    if (demand.kind !== 'not') continue
    const parts = demand.query.kind === 'and' ? demand.query.queries : [demand.query]
    const fields = parts.flatMap((part) =>
      part.kind === 'field' && part.match.kind === 'exists' ? [part.field] : [],
    )
    if (fields.length === parts.length && fields.length > 0) return fields
  }
  return undefined
}
