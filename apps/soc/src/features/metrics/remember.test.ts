import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remember } from './remember.ts'

test('many who ask lead to one reading, and to another when its time is over', async () => {
  let [clock, readings] = [0, 0]
  const read = remember(async () => ++readings, {
    now: () => clock,
    forMs: 1_000,
    patienceMs: 60_000,
  })
  assert.deepEqual(await Promise.all([read(), read(), read()]), [1, 1, 1])
  clock = 999
  assert.equal(await read(), 1)
  clock = 1_000
  assert.equal(await read(), 2)
})

test('what cannot be read is unknown, not what it was before', async () => {
  let [clock, isAway] = [0, false]
  const read = remember(
    async () => {
      if (isAway) throw new Error('away')
      return 1
    },
    { now: () => clock, forMs: 10, patienceMs: 60_000 },
  )
  assert.equal(await read(), 1)
  ;[clock, isAway] = [10, true]
  assert.equal(await read(), undefined)
})

test('who asks an engine that hangs is told that nothing is known', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  let readings = 0
  const hanging = () => {
    readings += 1
    return promise
  }
  const read = remember(hanging, { now: () => 0, forMs: 1_000, patienceMs: 1 })
  assert.deepEqual([await read(), await read()], [undefined, undefined])
  assert.equal(readings, 1, 'nobody piles up behind it')
  resolve(7)
  await promise
  assert.equal(await read(), 7)
})
