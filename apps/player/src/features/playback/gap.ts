import type { Clock } from '../../ports/clock.ts'

/** The silence between two repetitions: a timer that can be frozen and thawed. */
export function createGap(clock: Clock, onOver: () => void) {
  let remaining_ms = 0
  let runningSince = 0
  let cancel: (() => void) | undefined

  function run() {
    runningSince = clock.monotonic()
    cancel = clock.after(remaining_ms, () => {
      cancel = undefined
      onOver()
    })
  }

  return {
    start(seconds: number) {
      cancel?.()
      remaining_ms = seconds * 1000
      run()
    },
    freeze() {
      if (!cancel) return
      cancel()
      cancel = undefined
      remaining_ms = Math.max(0, remaining_ms - (clock.monotonic() - runningSince))
    },
    thaw: run,
    end() {
      cancel?.()
      cancel = undefined
    },
  }
}
