import type { Clock } from '../ports/clock.ts'

/**
 * A clock for replaying months in seconds. What was asked for `after` a time runs exactly then; what
 * runs `every` so often runs once a leap, as after a stall of the machine.
 */
export function createTwinClock(startAt: number) {
  let elapsed = 0
  const alarms = new Set<{ at: number; run: () => void }>()
  const pulses = new Set<() => void>()

  const clock: Clock = {
    now: () => startAt + elapsed,
    monotonic: () => elapsed,
    after(ms, run) {
      const alarm = { at: elapsed + ms, run }
      alarms.add(alarm)
      return () => {
        alarms.delete(alarm)
      }
    },
    every(_ms, run) {
      pulses.add(run)
      return () => {
        pulses.delete(run)
      }
    },
  }

  function earliest() {
    let first: { at: number; run: () => void } | undefined
    for (const alarm of alarms) if (!first || alarm.at < first.at) first = alarm
    return first
  }

  return {
    ...clock,
    advance(ms: number) {
      const until = elapsed + ms
      for (let alarm = earliest(); alarm && alarm.at <= until; alarm = earliest()) {
        alarms.delete(alarm)
        elapsed = Math.max(elapsed, alarm.at)
        alarm.run()
      }
      elapsed = until
      for (const pulse of [...pulses]) pulse()
    },
  }
}
