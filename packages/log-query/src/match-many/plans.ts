import type { EventView } from '../event-view.ts'
import type { ViewPredicate } from '../predicate.ts'
import type { EventKinds } from './event-kinds.ts'
import type { Commonness } from './grams.ts'
import { createRuleIndex, type RuleIndex, type Triggered } from './rule-index.ts'

/** Where a rule's events come from; rules of one source share it. */
export type Source = { matches: ViewPredicate }

type Planned = Triggered & { source: Source | undefined }

/** One index costs as much as thousands of events: it is made when some of its kind have come. */
export const EVENTS_BEFORE_PLAN = 200
const MOST_PLANS = 64
const MOST_KINDS = 20_000

/**
 * Indexes of the rules that events of one kind may concern: a rule about DNS queries is not asked
 * about a logon, and its texts are not looked for there. They are made anew after every change.
 */
export function createPlans<T extends Planned>(deps: {
  rules: ReadonlyMap<string, T>
  kinds: EventKinds
  /** Of all rules. */
  everything: RuleIndex<T>
  commonness: Commonness
  eventsBeforePlan: number
}) {
  const byKind = new Map<number, RuleIndex<T>>()
  const bySources = new Map<string, RuleIndex<T>>()
  const seen = new Map<number, number>()

  function clear() {
    byKind.clear()
    bySources.clear()
    seen.clear()
  }

  /** What the rules' sources say of this event they say of all of its kind. */
  function planFor(view: EventView): RuleIndex<T> {
    const verdicts = new Map<Source | undefined, boolean>([[undefined, true]])
    for (const { source } of deps.rules.values()) {
      if (source && !verdicts.has(source)) verdicts.set(source, source.matches(view))
    }
    const signature = [...verdicts.values()].map(Number).join('')
    const known = bySources.get(signature)
    if (known) return known
    const index = createRuleIndex<T>(deps.commonness)
    for (const rule of deps.rules.values()) if (verdicts.get(rule.source)) index.add(rule)
    bySources.set(signature, index)
    return index
  }

  return {
    clear,
    indexFor(view: EventView): RuleIndex<T> {
      const kind = deps.kinds.kindOf(view)
      if (kind === undefined) return deps.everything
      const known = byKind.get(kind)
      if (known) return known
      const count = (seen.get(kind) ?? 0) + 1
      seen.set(kind, count)
      if (bySources.size > MOST_PLANS || seen.size > MOST_KINDS) clear()
      if (count < deps.eventsBeforePlan) return deps.everything
      const plan = planFor(view)
      byKind.set(kind, plan)
      return plan
    },
  }
}
