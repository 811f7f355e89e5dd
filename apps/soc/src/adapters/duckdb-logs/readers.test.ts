import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { createReaders, NO_BUDGET } from './readers.ts'

/** Runs until somebody stops it. */
const ENDLESS = 'SELECT count(*) FROM range(1000000000000) WHERE range % 7 = 3'

async function opened(t: TestContext) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const readers = await createReaders(() => instance.connect(), 2)
  t.after(() => {
    readers.close()
    instance.closeSync()
  })
  return readers
}

test('heavy statements never take the last connection', async (t) => {
  const readers = await opened(t)
  const stop = new AbortController()
  const budget = { ...NO_BUDGET, signal: stop.signal }
  const heavy = Array.from({ length: 4 }, () => readers.read(ENDLESS, [], budget, true))
  const settled = Promise.allSettled(heavy)
  assert.deepEqual(await readers.read('SELECT 1::INTEGER', [], NO_BUDGET), [[1]])
  stop.abort()
  for (const one of await settled) assert.equal(one.status, 'rejected')
  assert.deepEqual(await readers.read('SELECT 2::INTEGER', [], NO_BUDGET, true), [[2]])
})

test('whoever leaves the line is told so at once, and the others go on', async (t) => {
  const readers = await opened(t)
  const [first, second] = [new AbortController(), new AbortController()]
  const running = readers.read(ENDLESS, [], { ...NO_BUDGET, signal: first.signal }, true)
  const waiting = readers.read(ENDLESS, [], { ...NO_BUDGET, signal: second.signal }, true)
  const last = readers.read('SELECT 3::INTEGER', [], NO_BUDGET, true)
  second.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  first.abort()
  await assert.rejects(running, { name: 'AbortError' })
  assert.deepEqual(await last, [[3]])
})
