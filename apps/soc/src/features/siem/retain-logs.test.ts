import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogStore, Retention } from '../../ports/log-store.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { until } from '../../testing/until.ts'
import { retainLogs } from './retain-logs.ts'

const HOUR = 3_600_000

function retaining(retention: Retention, clock = { now: 42, uptime: 0 }) {
  const turns: Parameters<LogStore['retain']>[] = []
  const { start, stop } = retainLogs({
    async retain(...turn) {
      turns.push(turn)
      return { dropped: 1 }
    },
    retention,
    now: () => clock.now,
    uptime: () => clock.uptime,
    log: silentLog,
  })
  start()
  return { turns, stop }
}

test('logs past their retention are dropped at once and every hour', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const retention = { days: 90, bytes: undefined, daysBySource: { dns: 7 } }
  const { turns, stop } = retaining(retention)
  await until('a first turn', () => turns.length === 1)
  assert.deepEqual(turns[0], [retention, 42])
  t.mock.timers.tick(HOUR)
  await until('a second turn', () => turns.length === 2)
  await stop()
})

test('a clock that jumps ahead lets nothing go by its age for a day, unless it is set right', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const retention = { days: 90, bytes: 1_000, daysBySource: { dns: 7 } }
  const bySize = { days: undefined, bytes: 1_000, daysBySource: {} }
  const clock = { now: 42, uptime: 0 }
  const { turns, stop } = retaining(retention, clock)
  await until('a first turn', () => turns.length === 1)
  async function turn({ hours, jump = 0 }: { hours: number; jump?: number }) {
    const before = turns.length
    clock.uptime += hours * HOUR
    clock.now += (hours + jump) * HOUR
    t.mock.timers.tick(HOUR)
    await until('the next turn', () => turns.length > before)
    return turns.at(-1)?.[0]
  }
  assert.deepEqual(await turn({ hours: 1, jump: 12 }), retention, 'a zone, or a laptop that slept')
  assert.deepEqual(await turn({ hours: 1, jump: 365 * 24 }), bySize)
  assert.deepEqual(await turn({ hours: 1 }), bySize)
  assert.deepEqual(await turn({ hours: 1, jump: -365 * 24 }), retention)
  assert.deepEqual(await turn({ hours: 1, jump: 365 * 24 }), bySize)
  assert.deepEqual(await turn({ hours: 25 }), retention, 'it was meant')
  await stop()
})

test('without a limit the store is left alone', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { turns, stop } = retaining({ days: undefined, bytes: undefined, daysBySource: {} })
  t.mock.timers.tick(HOUR)
  await stop()
  assert.deepEqual(turns, [])
})
