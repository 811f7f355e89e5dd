import type { Plan } from '@manara/player-contract/learners'
import { changedOnly } from './changed-only.ts'

/**
 * The box takes a plan as a whole: what this phone has changed, laid over the plan that it has now,
 * so that what another one changed meanwhile stays.
 */
export function joinedPlan(before: Plan, after: Plan, now: Plan): Plan {
  const { unit, amount, drill, ...rest } = after
  return {
    ...now,
    ...changedOnly<Plan>(before, rest),
    // Half a page is no number of verses: the two go together.
    ...(unit === before.unit && amount === before.amount ? {} : { unit, amount }),
    drill: { ...now.drill, ...changedOnly(before.drill, drill) },
  }
}

/** What a teacher sees of a plan, each as one thing. */
const shown = ({ order, start, unit, amount, drill, ...rest }: Plan) => ({
  order,
  start: [start.surah, start.verse],
  amount: [unit, amount],
  days: rest.days,
  recentDays: rest.recent_days,
  cycleDays: rest.cycle_days,
  reciter: rest.reciter,
  repeat: drill.repeat,
  unsure: drill.unsure ?? false,
})
export type PlanPart = keyof ReturnType<typeof shown>

/**
 * What both have changed since, each to something else: one would overwrite the other. Of a plan that
 * was not there before, all in which the two differ.
 */
export function clashes(before: Plan | null, mine: Plan, theirs: Plan): PlanPart[] {
  const differing = (one: Plan, other: Plan) =>
    Object.keys(changedOnly(shown(one), shown(other)) ?? {}) as PlanPart[]
  const both = differing(mine, theirs)
  if (!before) return both
  const changed = differing(before, mine).filter((part) => differing(before, theirs).includes(part))
  return both.filter((part) => changed.includes(part))
}
