import { getHeapStatistics } from 'node:v8'
import { collectGarbage } from './collect-garbage.ts'

const LOOK_MS = 5_000
/** Grown by so much since it was last collected. */
const GROWN = 32 * 2 ** 20
/** More in use, and collecting all of it at once would hold up those who ask meanwhile. */
const TOO_MUCH_IN_USE = 128 * 2 ** 20
/** Share of the time that the thread worked since it was last looked at. */
const IDLE = 0.5

/** How it is with this thread, where it is not said otherwise. */
type Thread = {
  heap(): { total: number; used: number }
  utilisation(): number
  collect(): void
}

/**
 * A burst of work leaves a heap full of garbage that V8 collects when more work needs the room, in a
 * service that waits for the next alert perhaps tomorrow. Looks at this thread while it waits. Gives
 * back a function that looks once, and one that ends it.
 */
export function collectWhenIdle(given: Partial<Thread> = {}) {
  const thread: Thread = { ...thisThread(), ...given }
  let after = thread.heap()

  function look(): void {
    const { total, used } = thread.heap()
    const isIdle = thread.utilisation() < IDLE
    // What V8 gave back by itself counts as well.
    after = { total: Math.min(after.total, total), used: Math.min(after.used, used) }
    if (!isIdle || total - after.total < GROWN || after.used > TOO_MUCH_IN_USE) return
    thread.collect()
    after = thread.heap()
  }

  const timer = setInterval(look, LOOK_MS).unref()
  return { look, stop: () => clearInterval(timer) }
}

function thisThread(): Thread {
  let last = performance.eventLoopUtilization()
  return {
    heap() {
      const { total_physical_size, used_heap_size } = getHeapStatistics()
      return { total: total_physical_size, used: used_heap_size }
    },
    utilisation() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    collect: collectGarbage,
  }
}
