import { wildcardParts } from '@manara/log-query/wildcards'
import type { Hunt } from '@manara/soc-contract/hunts'
import { quoted } from '../../parts/quoted.ts'

/** All that a hunt looks for, as one query: what is read and opened in the search is what runs. */
export function wholeQuery({
  query,
  source,
  host,
  severity,
}: Pick<Hunt, 'query' | 'source' | 'host' | 'severity'>): string {
  const narrowed = Object.entries({ source, host, severity }).flatMap(([field, value]) =>
    value ? [`${field}:${withWildcards(value)}`] : [],
  )
  if (narrowed.length === 0) return query
  return [...narrowed, ...(query.trim() ? [`(${query})`] : [])].join(' AND ')
}

const withWildcards = (value: string) =>
  wildcardParts(value)
    .map((part) => (typeof part === 'string' ? quoted(part) : part.any === 'run' ? '*' : '?'))
    .join('')
