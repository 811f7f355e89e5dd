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
      remaining_ms = 0
      onOver()
    })
  }

  const elapsed = () => (cancel ? clock.monotonic() - runningSince : 0)
  const left = () => Math.max(0, remaining_ms - elapsed())

  return {
    /** Also while it is frozen; of no meaning after its end. */
    left,
    start(seconds: number) {
      cancel?.()
      remaining_ms = seconds * 1000
      run()
    },
    freeze() {
      if (!cancel) return
      remaining_ms = left()
      cancel()
      cancel = undefined
    },
    thaw: run,
    end() {
      cancel?.()
      cancel = undefined
    },
  }
}
