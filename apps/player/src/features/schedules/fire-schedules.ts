import type { Logger } from '@manara/kit/logging'
import type { ScheduleResult } from '@manara/player-contract/schedules'
import type { Target } from '@manara/player-contract/target'
import type { ScheduleOccasion } from './agenda.ts'
import type { ScheduleStore } from './schedules.store.ts'

export type FireDeps = {
  store: ScheduleStore
  playTarget(target: Target, entrance: { volume?: number; softly: boolean }): Promise<void>
  /** The list is another now. */
  onChange(): void
  log: Pick<Logger, 'info' | 'warn'>
}

/** Does what is due, one after the other, and writes down how it went. */
export async function fireSchedules(deps: FireDeps, due: ScheduleOccasion[]): Promise<void> {
  for (const { id, at } of due) {
    const schedule = deps.store.find(id)
    // Removed or disabled while it waited for the adhan.
    if (!schedule?.enabled) continue
    const { target, volume } = schedule
    try {
      await deps.playTarget(target, { softly: true, ...(volume !== null && { volume }) })
      settle(deps, id, { outcome: 'fired', at: Math.round(at / 1000), reason: '' })
    } catch (error) {
      const reason = (error as Error).message
      deps.log.warn({ err: error, schedule: id }, 'a schedule could not be carried out')
      settle(deps, id, { outcome: 'failed', at: Math.round(at / 1000), reason })
    }
  }
  deps.onChange()
}

/** No late surprise: what was missed is written down, once, where its owner looks. */
export function skipSchedules(deps: FireDeps, missed: ScheduleOccasion[]): void {
  let isNews = false
  for (const { id, at } of missed) {
    const schedule = deps.store.find(id)
    const due = Math.round(at / 1000)
    if (!schedule || (schedule.last_result && schedule.last_result.at >= due)) continue
    const reason = 'the box was off, asleep or without the time when it was due'
    settle(deps, id, { outcome: 'skipped', at: due, reason })
    deps.log.info({ schedule: id, due }, 'a schedule was missed and skipped')
    isNews = true
  }
  if (isNews) deps.onChange()
}

/** One that fires once is done with, whatever became of it. */
function settle({ store }: FireDeps, id: number, result: ScheduleResult) {
  const schedule = store.find(id)
  // Its own target may have removed it meanwhile.
  if (schedule) store.record(id, result, schedule.enabled && schedule.days !== 0)
}
