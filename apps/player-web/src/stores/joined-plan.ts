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
