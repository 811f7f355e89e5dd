import type { LogRecord } from '@manara/log-query/event'
import { matchMany } from '@manara/log-query/match-many/match-many'
import { type Queried, sourceQuery } from '../domain/rule-query.ts'

export type Sourced = {
  /** The same for all rules that look at the same events; null when it is not known. */
  source_key: string | null
  source_query: string | null
}

type Rule = Queried & Partial<Sourced>

/** How many events there are of each source: thousands of rules have a hundred of them. */
export function createSourceCount() {
  const uses = new Map<string, number>()
  /** Of these every event is one. */
  const everything = new Set<string>()
  const queries = matchMany([])

  return {
    add(rule: Rule, now: number) {
      const { source_key: key } = rule
      if (!key) return
      uses.set(key, (uses.get(key) ?? 0) + 1)
      if (uses.get(key) !== 1) return
      const query = sourceQuery(rule, now)
      if (query.kind === 'all') everything.add(key)
      else queries.set({ id: key, query })
    },
    forget(key: Sourced['source_key'] | undefined) {
      if (!key) return
      const left = (uses.get(key) ?? 0) - 1
      uses.set(key, left)
      if (left > 0) return
      uses.delete(key)
      everything.delete(key)
      queries.delete(key)
    },
    count(logs: LogRecord[]): Record<string, number> {
      const seen: Record<string, number> = {}
      for (const key of everything) seen[key] = logs.length
      for (const log of logs) {
        for (const key of queries.match(log)) seen[key] = (seen[key] ?? 0) + 1
      }
      return seen
    },
  }
}
