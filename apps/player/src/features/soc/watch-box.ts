import type { EventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Clock } from '../../ports/clock.ts'
import type { WallClock } from '../../ports/wall-clock.ts'
import type { AuditEvent } from './audit-buffer.ts'

const FAILURES_MS = 60_000
const MOST_ADDRESSES = 50

const UPDATES: Record<string, AuditEvent['severity']> = {
  rebooting: 'info',
  success: 'info',
  rolled_back: 'high',
  failed: 'medium',
}

export type WatchDeps = {
  events: EventBus<PlayerEvents>
  wall: WallClock
  clock: Clock
  record(event: AuditEvent): void
}

/** What an owner would want to have been told: wrong tokens, updates, and changes of the clock. */
export function watchBox({ events, wall, clock, record }: WatchDeps) {
  const failures = new Map<string, number>()
  const ends: (() => void)[] = []
  let lastUpdate = ''
  let tellFailures: (() => void) | undefined

  /** Guessing is told by the minute and address, however fast it is. */
  function tokenFailure(address: string) {
    if (failures.size >= MOST_ADDRESSES && !failures.has(address)) return
    failures.set(address, (failures.get(address) ?? 0) + 1)
    tellFailures ??= clock.after(FAILURES_MS, flush)
    // The first of a minute at once: nobody should have to wait for it.
    if (failures.get(address) === 1) toldOf(address, 1)
  }

  function flush() {
    tellFailures = undefined
    for (const [address, count] of failures) if (count > 1) toldOf(address, count)
    failures.clear()
  }

  function toldOf(address: string, count: number) {
    record({
      event: 'token_failure',
      severity: count >= 10 ? 'high' : 'medium',
      message: `a wrong device token from ${address}${count > 1 ? `, ${count} times in a minute` : ''}`,
      details: { src_ip: address, count },
    })
  }

  return {
    tokenFailure,
    start() {
      ends.push(
        events.on('ota', ({ status, mode, error }) => {
          if (status === lastUpdate) return
          lastUpdate = status
          const severity = UPDATES[status]
          if (severity === undefined) return
          const message = `update ${status.replace('_', ' ')}${error ? `: ${error}` : ''}`
          record({ event: 'update', severity, message, details: { status, mode } })
        }),
        wall.onChange(() =>
          record({
            event: 'clock_changed',
            severity: 'low',
            message: `the clock was set; ${wall.source()} vouches for it`,
            details: { time_source: wall.source(), is_trusted: wall.isTrusted() },
          }),
        ),
      )
    },
    stop() {
      for (const end of ends.splice(0)) end()
      tellFailures?.()
      tellFailures = undefined
    },
  }
}
