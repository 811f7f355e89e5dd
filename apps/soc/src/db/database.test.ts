import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { silentLog, testDatabase } from '../testing/test-postgres.ts'
import { until } from '../testing/until.ts'
import { openDatabase } from './database.ts'

test('a service that had no time itself does not take the database for lost', async (t) => {
  const patienceMs = 200
  let asks = Number.NEGATIVE_INFINITY
  const stall = () => {
    const over = performance.now() + 2 * patienceMs
    while (performance.now() < over);
  }
  /** Has no time for anything as soon as it has asked whether the database is there. */
  class Client extends pg.Client {
    override query(...asked: never[]) {
      const answer = super.query(...(asked as [never]))
      if ((asked[0] as unknown) === 'SELECT 1' && asks++ >= 0 && asks <= 5) setImmediate(stall)
      return answer as never
    }
  }
  const connection = await testDatabase()
  const told: unknown[] = []
  const log = Object.assign(Object.create(silentLog), { warn: (word: unknown) => told.push(word) })
  const options = { connection: { ...connection, Client }, log, probeMs: 10, patienceMs }
  const database = await openDatabase(options)
  t.after(() => database.close())
  asks = 0
  await until('it was asked with time again', () => asks > 6)
  assert.ok(database.isAvailable())
  assert.deepEqual(told, [])
})
