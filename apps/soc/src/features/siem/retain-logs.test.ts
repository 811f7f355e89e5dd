import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogStore, Retention } from '../../ports/log-store.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { until } from '../../testing/until.ts'
import { retainLogs } from './retain-logs.ts'

const HOUR = 3_600_000

function retaining(retention: Retention) {
  const turns: Parameters<LogStore['retain']>[] = []
  const { start, stop } = retainLogs({
    async retain(...turn) {
      turns.push(turn)
      return { dropped: 1 }
    },
    retention,
    now: () => 42,
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

test('without a limit the store is left alone', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { turns, stop } = retaining({ days: undefined, bytes: undefined, daysBySource: {} })
  t.mock.timers.tick(HOUR)
  await stop()
  assert.deepEqual(turns, [])
})
