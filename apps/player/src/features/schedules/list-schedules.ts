import type { Schedule } from '@manara/player-contract/schedules'
import type { WallClock } from '../../ports/wall-clock.ts'
import { type AgendaDeps, firingOf } from './agenda.ts'
import { nextFires } from './domain/fire-times.ts'
import type { StoredSchedule } from './schedules.store.ts'

export type ListDeps = AgendaDeps & {
  wall: Pick<WallClock, 'now' | 'isSet' | 'isTrusted'>
  hasFired(firing: ReturnType<typeof firingOf>): boolean
}

/** As clients see it: with when it fires next. */
export function describeSchedule(deps: ListDeps, schedule: StoredSchedule): Schedule {
  const { armed_at: _, ...shown } = schedule
  return { ...shown, next_fire: nextFire(deps, schedule) }
}

export const listSchedules = (deps: ListDeps): Schedule[] =>
  deps.store.all().map((schedule) => describeSchedule(deps, schedule))

function nextFire({ wall, zone, hasFired }: ListDeps, schedule: StoredSchedule): number | null {
  if (!schedule.enabled || !wall.isSet()) return null
  const now = wall.now()
  // Armed anew when the clock has gone back behind it.
  const armed_at = Math.min(schedule.armed_at ?? now, now)
  const next = nextFires(zone(), { ...schedule, armed_at }, now).find(
    ({ at }) => !hasFired(firingOf(schedule, at)),
  )
  return next ? Math.round(next.at / 1000) : null
}
