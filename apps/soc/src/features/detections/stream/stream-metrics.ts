import type { Meter } from '../../../core/metrics/meter.ts'

export type StreamState = {
  /** Events in memory that no rule has seen yet. */
  waiting: number
  /** Arrival of the oldest event that the rules have not seen; undefined when they saw all. */
  unseenSince: number | undefined
}

/** How far the rules are behind the events that arrive in this process. */
export function registerStreamMetrics(meter: Meter, state: () => StreamState, now: () => number) {
  meter.level(
    'soc_stream_waiting_events',
    'Arrived log events in memory that the rules have not seen yet',
    [],
    (tell) => tell({}, state().waiting),
  )
  meter.level(
    'soc_stream_delay_seconds',
    'How long the oldest event that the rules have not seen has waited, since its arrival',
    [],
    (tell) => {
      const { unseenSince } = state()
      tell({}, unseenSince === undefined ? 0 : Math.max(0, now() - unseenSince) / 1000)
    },
  )
}
