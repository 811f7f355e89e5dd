import type { Clock } from '../ports/clock.ts'
import type { TimeSource, WallClock } from '../ports/wall-clock.ts'

const SHIPPED = Date.parse('2025-01-01T00:00:00Z')

/** A wall clock on top of a manual clock, which a test can distrust and let jump. */
export function createManualWallClock(clock: Clock, initial: TimeSource = 'sntp') {
  const listeners = new Set<() => void>()
  let offset_ms = 0
  let source = initial

  const wall: WallClock = {
    now: () => clock.now() + offset_ms,
    isSet: () => source !== 'none' || wall.now() >= SHIPPED,
    isTrusted: () => source !== 'none',
    source: () => source,
    onChange(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    async set(epoch_s) {
      become(epoch_s * 1000, 'manual')
      return { system_clock: true, rtc: false }
    },
  }

  function become(now_ms: number, next: TimeSource) {
    offset_ms = now_ms - clock.now()
    source = next
    for (const listener of [...listeners]) listener()
  }

  return {
    ...wall,
    /** Somebody or something else sets the clock. */
    become,
  }
}
