import type { PosixTz } from '@manara/posix-tz/posix-tz'
import type { WallClock } from '../../ports/wall-clock.ts'
import { fireTimes } from './domain/fire-times.ts'
import type { ScheduleStore, StoredSchedule } from './schedules.store.ts'

export type AgendaDeps = {
  store: ScheduleStore
  zone(): PosixTz
  wall: Pick<WallClock, 'now'>
}

export type ScheduleOccasion = {
  key: string
  date: string
  at: number
  late_ms: number
  same_ms: number
  id: number
}

const HOUR_MS = 3_600_000

export const keyOf = ({ id }: Pick<StoredSchedule, 'id'>) => `schedule:${id}`

/**
 * What its firing is known by. A zone that sets the clock back by an hour or two brings a time once
 * more, as the end of summer time does: it was heard. By more, what was heard was another hour.
 */
export const firingOf = (schedule: Pick<StoredSchedule, 'id'>, at: number) => ({
  ...{ key: keyOf(schedule), at },
  same_ms: 2 * HOUR_MS,
})

/**
 * When the enabled schedules fall due after `from` and not after `until`. One that is to fire once and
 * fell due before, while the box was off for long, is among them: it is to be told and disabled.
 */
export function scheduleOccasions(
  { store, zone, wall }: AgendaDeps,
  from: number,
  until: number,
): ScheduleOccasion[] {
  store.arm(wall.now())
  return store
    .all()
    .filter(({ enabled }) => enabled)
    .flatMap((schedule) => {
      const { id, days } = schedule
      const armed_at = schedule.armed_at ?? from
      const since = days === 0 ? armed_at : from
      return fireTimes(zone(), { ...schedule, armed_at }, since, until).map(
        // Jumped over by the clock is missed, like any other: no late surprise.
        ({ date, at }) => ({ ...firingOf(schedule, at), date, late_ms: 0, id }),
      )
    })
}

/** Whether its time was another moment than this in the zone that is in force. */
export function hasMoved({ store, zone }: AgendaDeps, { id, at }: ScheduleOccasion): boolean {
  const schedule = store.find(id)
  if (!schedule) return false
  const before = at - 1
  return fireTimes(zone(), { ...schedule, armed_at: before }, before, at).length === 0
}
