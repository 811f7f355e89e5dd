import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONNECTIONS, createTurns, type Weight } from './reader-turns.ts'

/** Statements that end when the test says so; `begun` has their names in the order of their turns. */
function asking() {
  const turns = createTurns(Array.from({ length: CONNECTIONS }, (_, at) => at))
  const begun: string[] = []
  const ends = new Map<string, () => void>()

  async function ask(name: string, weight: Weight, signal?: AbortSignal) {
    const connection = await turns.take(weight, signal)
    begun.push(name)
    ends.set(name, () => turns.giveBack(connection, weight))
  }
  /** Everybody who may go on has. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    begun,
    async ask(...asked: Parameters<typeof ask>) {
      ask(...asked).catch(() => {})
      await settled()
    },
    async end(name: string) {
      ends.get(name)?.()
      await settled()
    },
  }
}

test('a heavy slice waits while a lighter statement runs or waits', async () => {
  const { begun, ask, end } = asking()
  await ask('light', 0)
  await ask('heavy', 2)
  await ask('middle', 1)
  assert.deepEqual(begun, ['light', 'middle'])
  await end('light')
  assert.deepEqual(begun, ['light', 'middle'])
  await end('middle')
  assert.deepEqual(begun, ['light', 'middle', 'heavy'])
})

test('two heavy slices run at once and leave two connections to the light ones', async () => {
  const { begun, ask, end } = asking()
  for (const name of ['a', 'b', 'c']) await ask(name, 2)
  await ask('middle', 1)
  for (const name of ['light', 'lighter', 'lightest']) await ask(name, 0)
  assert.deepEqual(begun, ['a', 'b', 'light', 'lighter'])
  await end('light')
  assert.deepEqual(begun, ['a', 'b', 'light', 'lighter', 'lightest'])
  await end('a')
  assert.deepEqual(begun, ['a', 'b', 'light', 'lighter', 'lightest', 'middle'])
})

test('where lighter statements come, heavy slices run one at a time until they stay away', async () => {
  const { begun, ask, end } = asking()
  await ask('light', 0)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await ask(name, 2)
  await end('light')
  assert.deepEqual(begun, ['light', 'a'])
  for (const name of ['a', 'b', 'c']) await end(name)
  assert.deepEqual(begun, ['light', 'a', 'b', 'c', 'd'])
  await end('d')
  assert.deepEqual(begun, ['light', 'a', 'b', 'c', 'd', 'e', 'f'])
})

test('heavy slices have their turn one after the other, whoever asked first', async () => {
  const { begun, ask, end } = asking()
  for (const name of ['a1', 'b1', 'a2', 'c1', 'b2']) await ask(name, 2)
  for (const name of ['a1', 'b1', 'a2']) await end(name)
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'c1', 'b2'])
})

test('light questions without end do not keep a heavy one from its end', async () => {
  const { begun, ask, end } = asking()
  for (let at = 0; at < CONNECTIONS; at++) await ask(`light ${at}`, 0)
  await ask('heavy', 2)
  let ended = 0
  for (; ended < 100 && !begun.includes('heavy'); ended++) {
    await ask(`light ${ended + CONNECTIONS}`, 0)
    await end(`light ${ended}`)
  }
  assert(begun.includes('heavy'), 'it has its turn while others still come')
  assert(ended > 1, 'and not at once')
  await ask('next', 2)
  await end(`light ${ended}`)
  assert(!begun.includes('next'), 'one at a time beside light ones')
})

test('whoever leaves makes way for those who waited because of them', async () => {
  const { begun, ask, end } = asking()
  const leaving = new AbortController()
  await ask('a', 1)
  await ask('b', 1)
  await ask('middle', 1, leaving.signal)
  await ask('heavy', 2)
  await end('a')
  assert.deepEqual(begun, ['a', 'b', 'middle'])
  await ask('gone', 1, leaving.signal)
  await end('middle')
  await end('b')
  assert.deepEqual(begun, ['a', 'b', 'middle', 'gone'])
  await end('gone')
  assert.deepEqual(begun, ['a', 'b', 'middle', 'gone', 'heavy'])
})

test('slices have their turn beside a statement that cannot be cut, and no other of its kind', async () => {
  const { begun, ask, end } = asking()
  await ask('light', 0)
  await ask('all fields', 3)
  for (const name of ['export', 'other fields', 'count'])
    await ask(name, name.includes('fields') ? 3 : 2)
  await end('light')
  assert.deepEqual(begun, ['light', 'all fields', 'export'])
  await end('export')
  assert.deepEqual(begun, ['light', 'all fields', 'export', 'count'])
  await ask('middle', 1)
  await end('count')
  assert.deepEqual(begun, ['light', 'all fields', 'export', 'count', 'middle'])
  await end('all fields')
  await end('middle')
  assert.deepEqual(begun, ['light', 'all fields', 'export', 'count', 'middle', 'other fields'])
})
