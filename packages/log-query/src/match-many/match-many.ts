import type { Query } from '../ast.ts'
import type { LogRecord } from '../event.ts'
import { type EventView, viewOf } from '../event-view.ts'
import { compileViewPredicate, type ViewPredicate } from '../predicate.ts'
import { createEventKinds } from './event-kinds.ts'
import { createCommonness } from './grams.ts'
import { createPlans, EVENTS_BEFORE_PLAN, type Source } from './plans.ts'
import { createRuleIndex } from './rule-index.ts'
import { createSourceSurvey, textLocation } from './source-fields.ts'
import { sourceOf } from './source-of.ts'
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
  source: Source | undefined
  /** The event it was last looked at for, so that many triggers of one rule cost one look. */
  seen: number
}

/**
 * Thousands of queries over one event at little more than the price of a few: each event is searched
 * once for what queries need, and only those that could match are tried, by the same predicate that
 * runs alone. Which fields tell the source of an event is learnt from the queries given at first.
 */
export function matchMany(
  queries: Iterable<NamedQuery>,
  { eventsBeforePlan = EVENTS_BEFORE_PLAN } = {},
): ManyQueries {
  const rules = new Map<string, Rule>()
  const shares = new Map<string, number>()
  const survey = createSourceSurvey()
  const commonness = createCommonness()

  const count = (need: Need | undefined) => {
    const triggers = need ? triggersIn(need) : new Map<string, Trigger>()
    for (const key of triggers.keys()) shares.set(key, (shares.get(key) ?? 0) + 1)
    survey.add(triggers.values())
  }
  // What each needs is worked out twice: kept in between, all of it would be more than the rules.
  const named = [...queries]
  for (const { query } of named) count(needOf(query))

  const sourceFields = survey.fields()
  const sourceKeys = new Set(sourceFields.map(({ key }) => key))
  const isTelling = (field: string) => sourceKeys.has(textLocation(field)?.key ?? '')
  const kinds = createEventKinds(sourceFields)
  const sources = new Map<string, Source>()
  const everything = createRuleIndex<Rule>(commonness)
  const plans = createPlans({ rules, kinds, everything, commonness, eventsBeforePlan })

  const sourceFor = (query: Query): Source | undefined => {
    const source = sourceOf(query, isTelling)
    if (!source) return undefined
    const key = JSON.stringify(source)
    const known = sources.get(key) ?? { matches: compileViewPredicate(source) }
    kinds.learn(source)
    sources.set(key, known)
    return known
  }
  const remove = (id: string) => {
    const rule = rules.get(id)
    if (!rule) return
    plans.clear()
    rules.delete(id)
    everything.remove(rule)
  }
  const put = ({ id, query }: NamedQuery, need: Need | undefined, ruleCount: number) => {
    remove(id)
    plans.clear()
    const chanceOf = (trigger: Trigger) =>
      triggerChance(trigger, shares.get(trigger.key) ?? 1, ruleCount, isTelling)
    const triggers = need ? cheapest(need, chanceOf).triggers.map(watched) : []
    for (const trigger of triggers) if ('literal' in trigger) commonness.count(trigger.literal.text)
    const matches = compileViewPredicate(query)
    const rule = { id, matches, triggers, source: sourceFor(query), seen: 0 }
    rules.set(id, rule)
    everything.add(rule)
  }
  for (const one of named) put(one, needOf(one.query), named.length)

  let events = 0
  let view: EventView
  let matching: string[] = []
  const tryOne = (rule: Rule) => {
    if (rule.seen === events) return
    rule.seen = events
    if (rule.matches(view)) matching.push(rule.id)
  }

  return {
    match(log) {
      events++
      view = viewOf(log)
      matching = []
      plans.indexFor(view).search(view, tryOne)
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
