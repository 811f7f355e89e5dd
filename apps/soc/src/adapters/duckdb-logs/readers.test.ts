import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { CONNECTIONS } from './reader-turns.ts'
import { createReaders, NO_BUDGET } from './readers.ts'

/** Runs until somebody stops it. */
const ENDLESS = 'SELECT count(*) FROM range(1000000000000) WHERE range % 7 = 3'

async function opened(t: TestContext) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const readers = await createReaders(() => instance.connect())
  t.after(() => {
    readers.close()
    instance.closeSync()
  })
  return readers
}

test('a hundred light questions are answered while heavier ones never end', async (t) => {
  const readers = await opened(t)
  const stop = new AbortController()
  const budget = { ...NO_BUDGET, signal: stop.signal }
  const heavy = Array.from({ length: 20 }, () => readers.read(ENDLESS, [], budget, 2))
  const middle = Array.from({ length: 20 }, () => readers.read(ENDLESS, [], budget, 1))
  const settled = Promise.allSettled([...heavy, ...middle])
  const light = await Promise.all(
    Array.from({ length: 100 }, () => readers.read('SELECT 1::INTEGER', [], NO_BUDGET, 0)),
  )
  assert.deepEqual(
    light.flat(2),
    Array.from({ length: 100 }, () => 1),
  )
  stop.abort()
  for (const one of await settled) assert.equal(one.status, 'rejected')
  assert.deepEqual(await readers.read('SELECT 2::INTEGER', [], NO_BUDGET, 2), [[2]])
})

test('those of middle weight wait for no heavy one, and the lightest comes next', async (t) => {
  const readers = await opened(t)
  const [heavy, middle] = [new AbortController(), new AbortController()]
  const settled = Promise.allSettled([
    readers.read(ENDLESS, [], { ...NO_BUDGET, signal: heavy.signal }, 2),
    readers.read(ENDLESS, [], { ...NO_BUDGET, signal: middle.signal }, 1),
  ])
  const order: string[] = []
  const asked = (['heavy', 'middle'] as const).map((name) =>
    readers
      .read('SELECT 1::INTEGER', [], NO_BUDGET, name === 'heavy' ? 2 : 1)
      .then(() => order.push(name)),
  )
  middle.abort()
  await asked[1]
  assert.deepEqual(order, ['middle'])
  heavy.abort()
  await Promise.all([...asked, settled])
  assert.deepEqual(order, ['middle', 'heavy'])
})

test('whoever leaves the line is told so at once, and the others go on', async (t) => {
  const readers = await opened(t)
  const [first, second] = [new AbortController(), new AbortController()]
  const until = ({ signal }: AbortController) =>
    readers.read(ENDLESS, [], { ...NO_BUDGET, signal }, 2)
  const running = Promise.allSettled([until(first), until(first)])
  const waiting = until(second)
  const last = readers.read('SELECT 3::INTEGER', [], NO_BUDGET, 2)
  second.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  first.abort()
  for (const one of await running) {
    assert.equal(one.status === 'rejected' && one.reason.name, 'AbortError')
  }
  assert.deepEqual(await last, [[3]])
})

test('at the end what runs and what waits is refused, and the connections are free', async (t) => {
  const readers = await opened(t)
  const asked = Array.from({ length: 5 }, () => readers.read(ENDLESS, [], NO_BUDGET, 2))
  readers.end()
  for (const one of await Promise.allSettled(asked)) {
    assert.equal(one.status, 'rejected')
    assert.match(String(one.status === 'rejected' && one.reason), /is closing/)
  }
  await assert.rejects(readers.read('SELECT 1', [], NO_BUDGET), /is closing/)
})

/** Longer than a turn: whoever waits comes in between. */
function takeLong() {
  const end = performance.now() + 10
  while (performance.now() < end);
}

test('a connection is free when its statement has run, before events are made of the rows', async () => {
  const told: string[] = []
  const rowsOf = (name: string) => ({
    getItem(row: number) {
      takeLong()
      told.push(`row ${row} of ${name}`)
    },
  })
  const resultOf = (name: string) => ({
    chunkCount: 1,
    getChunk: () => ({ columnCount: 1, rowCount: 3, getColumnVector: () => rowsOf(name) }),
  })
  const prepare = async (name: string) => ({
    bind() {},
    destroySync() {},
    async run() {
      told.push(`ran ${name}`)
      return resultOf(name)
    },
  })
  const readers = await createReaders(async () => ({ prepare }) as unknown as DuckDBConnection)
  const names = Array.from({ length: CONNECTIONS + 1 }, (_, at) => `statement ${at}`)
  await Promise.all(names.map((name) => readers.read(name, [], NO_BUDGET)))
  assert.ok(told.indexOf(`ran ${names.at(-1)}`) < told.indexOf(`row 1 of ${names[0]}`))
})
