import type { NamedQuery } from '@manara/log-query/match-many/match-many'
import { type Queried, sourceQuery } from '../domain/rule-query.ts'

export type Sourced = {
  /** The same for all rules that look at the same events; null when it is not known. */
  source_key: string | null
  source_query: string | null
}

type Rule = Queried & Partial<Sourced>

/** No id of a rule begins with it. */
const MARK = ' '

/**
 * How many events there are of each source: thousands of rules have a hundred of them. Their queries
 * are matched among those of the rules.
 */
export function createSourceCount() {
  const uses = new Map<string, number>()
  /** Of these every event is one. */
  const everything = new Set<string>()

  return {
    /** What is to be matched from now on, when the rule is the first of its source. */
    add(rule: Rule, now: number): NamedQuery | undefined {
      const { source_key: key } = rule
      if (!key) return undefined
      const before = uses.get(key) ?? 0
      const query = before === 0 ? sourceQuery(rule, now) : undefined
      uses.set(key, before + 1)
      if (query?.kind === 'all') everything.add(key)
      return query && query.kind !== 'all' ? { id: MARK + key, query } : undefined
    },
    /** The id that nobody asks for any more, when it was the last of its source. */
    forget(key: Sourced['source_key'] | undefined): string | undefined {
      if (!key) return undefined
      const left = (uses.get(key) ?? 0) - 1
      uses.set(key, left)
      if (left > 0) return undefined
      uses.delete(key)
      everything.delete(key)
      return MARK + key
    },
    /** The source that a matching query stands for; undefined when it is one of a rule. */
    keyOf: (id: string) => (id.startsWith(MARK) ? id.slice(MARK.length) : undefined),
    /** What is known of so many events without looking at them. */
    countOf: (events: number): Record<string, number> =>
      Object.fromEntries([...everything].map((key) => [key, events])),
  }
}
