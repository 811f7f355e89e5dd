import type { WallClock } from '../../ports/wall-clock.ts'
import type { ScheduleStore } from './schedules.store.ts'

export type FollowZoneDeps = {
  store: Pick<ScheduleStore, 'arm'>
  wall: Pick<WallClock, 'now' | 'isTrusted'>
  /** The rule string that is in force. */
  timezone(): string
  onChange(): void
}

/** To be called when settings change: in a new zone every schedule counts from now on. */
export function createZoneFollower({ store, wall, timezone, onChange }: FollowZoneDeps) {
  let followed = timezone()
  return () => {
    if (followed === timezone()) return
    followed = timezone()
    if (wall.isTrusted()) store.arm(wall.now(), true)
    onChange()
  }
}
