import type { Query } from '../ast.ts'
import type { LogRecord } from '../event.ts'
import { viewOf } from '../event-view.ts'
import { compileViewPredicate, type ViewPredicate } from '../predicate.ts'
import { barredFields } from './bars.ts'
import { createRuleIndex } from './rule-index.ts'
import { triggerChance } from './trigger-chance.ts'
import {
  cheapest,
  type Need,
  needOf,
  type Trigger,
  triggersIn,
  type Watched,
  watched,
} from './triggers.ts'

export type NamedQuery = { id: string; query: Query }

export type ManyQueries = {
  /** The ids of all queries that match, in no particular order. */
  match(log: LogRecord): string[]
  /** Adds a query, or puts another in the place of the one with this id. */
  set(named: NamedQuery): void
  delete(id: string): void
  readonly size: number
}

type Rule = {
  id: string
  matches: ViewPredicate
  triggers: Watched[]
  barred: string[] | undefined
  /** The event it was last looked at for, so that many triggers of one rule cost one look. */
  seen: number
}

/**
 * Thousands of queries over one event at little more than the price of a few: each event is searched
 * once for what queries need, and only those that could match are tried, by the same predicate that
 * runs alone.
 */
export function matchMany(queries: Iterable<NamedQuery>): ManyQueries {
  const rules = new Map<string, Rule>()
  const index = createRuleIndex<Rule>()
  const always = new Set<Rule>()
  const shares = new Map<string, number>()
  let events = 0

  const count = (need: Need | undefined) => {
    if (!need) return
    for (const key of triggersIn(need).keys()) shares.set(key, (shares.get(key) ?? 0) + 1)
  }
  const remove = (id: string) => {
    const rule = rules.get(id)
    if (!rule) return
    rules.delete(id)
    always.delete(rule)
    for (const trigger of rule.triggers) index.remove(trigger, rule)
  }
  const put = ({ id, query }: NamedQuery, need: Need | undefined, ruleCount: number) => {
    remove(id)
    const chanceOf = (trigger: Trigger) =>
      triggerChance(trigger, shares.get(trigger.key) ?? 1, ruleCount)
    const triggers = need ? cheapest(need, chanceOf).triggers.map(watched) : []
    const matches = compileViewPredicate(query)
    const rule = { id, matches, triggers, barred: barredFields(query), seen: 0 }
    rules.set(id, rule)
    if (!need) always.add(rule)
    for (const trigger of triggers) index.add(trigger, rule)
  }

  // What each needs is worked out twice: kept in between, all of it would be more than the rules.
  const named = [...queries]
  for (const { query } of named) count(needOf(query))
  for (const one of named) put(one, needOf(one.query), named.length)

  return {
    match(log) {
      events++
      const view = viewOf(log)
      const matching: string[] = []
      const tryOne = (rule: Rule) => {
        if (rule.seen === events) return
        rule.seen = events
        if (rule.matches(view)) matching.push(rule.id)
      }
      for (const rule of always) tryOne(rule)
      index.search(view, tryOne)
      return matching
    },
    set(named) {
      const need = needOf(named.query)
      if (!rules.has(named.id)) count(need)
      put(named, need, rules.size + 1)
    },
    delete: remove,
    get size() {
      return rules.size
    },
  }
}
