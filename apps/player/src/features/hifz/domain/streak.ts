import type { Plan } from '@manara/player-contract/learners'
import { dayBefore, isPlanDay } from './today.ts'

const LONGEST = 3_660

/** Days of the plan in a row on which something was done; today counts when it was, and is not missed yet. */
export function streakOf(
  plan: Pick<Plan, 'days'>,
  days: ReadonlySet<string>,
  today: string,
): number {
  let streak = days.has(today) ? 1 : 0
  let date = dayBefore(today)
  for (let back = 0; back < LONGEST; back++, date = dayBefore(date)) {
    if (days.has(date)) streak += 1
    else if (isPlanDay(plan, date)) break
  }
  return streak
}
