import type { Query } from '@manara/log-query/ast'
import { compilePredicate } from '@manara/log-query/predicate'

/** Both engines count events by these as they come: what asks for nothing else need not read them. */
export type Key = 'source' | 'severity'

export const isKey = (field: string): field is Key => field === 'source' || field === 'severity'

export function asksOnlyForKeys(query: Query): boolean {
  switch (query.kind) {
    case 'all':
      return true
    case 'and':
    case 'or':
      return query.queries.every(asksOnlyForKeys)
    case 'not':
      return asksOnlyForKeys(query.query)
    case 'text':
      return false
    case 'field':
      return isKey(query.field) && query.match.kind !== 'same-as'
  }
}

/** Whether events with this source and severity are asked for. */
export function createKeyTest(query: Query): (source: string, severity: string) => boolean {
  if (query.kind === 'all') return () => true
  const matches = compilePredicate(query)
  return (source, severity) => matches(recordOf(source, severity))
}

const recordOf = (source: string, severity: string) => ({
  ...{ id: '', at: 0, source, severity, message: '', fields: {} },
  ...{ host: null, user: null, process: null, event_code: null, src_ip: null, dst_ip: null },
})
