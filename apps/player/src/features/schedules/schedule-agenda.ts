import { hasMoved, type ScheduleOccasion, scheduleOccasions } from './agenda.ts'
import { type FireDeps, fireSchedules, skipSchedules } from './fire-schedules.ts'
import type { ListDeps } from './list-schedules.ts'

/** What the timekeeper does when a schedule is due: it comes after an adhan of the same minute. */
export const scheduleAgenda = (list: ListDeps, fire: FireDeps) => ({
  occasions: (from: number, until: number) => scheduleOccasions(list, from, until),
  due: (due: ScheduleOccasion[]) => fireSchedules(fire, due),
  missed: (missed: ScheduleOccasion[]) => skipSchedules(fire, missed),
  hasMoved: (occasion: ScheduleOccasion) => hasMoved(list, occasion),
  isOnce: true,
  waitsForAdhan: true,
  isOneByOne: false,
})
