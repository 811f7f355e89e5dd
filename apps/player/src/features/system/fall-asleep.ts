import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { SleepResult } from '@manara/player-contract/system'
import { afterReply } from '../../http/after-reply.ts'
import type { Board } from '../../ports/board.ts'
import type { Clock } from '../../ports/clock.ts'
import type { WallClock } from '../../ports/wall-clock.ts'
import { wakeInSeconds } from './domain/wake-up.ts'

export type SleepDeps = {
  board: Pick<Board, 'sleep' | 'whyNoSleep' | 'canWakeItself'>
  clock: Clock
  wall: WallClock
  log: Pick<Logger, 'info' | 'warn'>
  /** When the next enabled schedule or adhan is due, in Unix milliseconds. */
  nextWake(): number | undefined
  /** Silences the box and keeps the place: after waking it must not go on by itself. */
  beforeSleep(): Promise<void>
}

/**
 * Says when the box will wake by itself and falls asleep right after. Throws a 500 with the reason
 * where the host cannot sleep.
 */
export function createFallAsleep(deps: SleepDeps) {
  const { board, clock, wall, log } = deps
  let isOnItsWay = false

  async function enter() {
    try {
      await deps.beforeSleep()
      // Only now: what was due when the call came may have passed since.
      await board.sleep(wakeInSeconds(plannedWake(), wall.now()))
      log.info({}, 'woke up')
    } catch (error) {
      log.warn({ err: error }, 'the host did not sleep')
    } finally {
      isOnItsWay = false
    }
  }

  /** A time that nobody vouches for cannot say how long to sleep. */
  const plannedWake = () => (wall.isTrusted() ? deps.nextWake() : undefined)

  return async (): Promise<SleepResult> => {
    const obstacle = await board.whyNoSleep()
    if (obstacle) throw new AppError(500, `this host cannot sleep: ${obstacle}`)
    const due = (await board.canWakeItself()) ? plannedWake() : undefined
    if (!isOnItsWay) {
      isOnItsWay = true
      afterReply(clock, () => void enter())
    }
    return { success: true, wakes_at: due === undefined ? null : Math.floor(due / 1000) }
  }
}
