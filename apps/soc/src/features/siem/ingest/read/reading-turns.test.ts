import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadingTurns } from './reading-turns.ts'

/** Reads requests of so many parts, one step at a time, and tells whose parts were read in which order. */
async function orderOf(requests: number[]): Promise<number[]> {
  const turns = createReadingTurns()
  const order: number[] = []
  const readings = requests.map(async (parts, id) => {
    for (let part = 0; part < parts; part += 1) {
      await turns.take(id, part)
      order.push(id)
      await new Promise(setImmediate)
      turns.giveBack()
    }
  })
  await Promise.all(readings)
  return order
}

const lastOf = (order: number[], id: number) => order.lastIndexOf(id)

test('of short requests those that came first are read first, two of them at once', async () => {
  const order = await orderOf([3, 3, 3, 3])
  assert.deepEqual(order.slice(0, 6).sort(), [0, 0, 0, 1, 1, 1])
  assert.deepEqual(order.slice(6).sort(), [2, 2, 2, 3, 3, 3])
})

test('a short request that comes later does not wait for long ones', async () => {
  const order = await orderOf([100, 100, 2])
  assert.ok(lastOf(order, 2) < 30, `${order}`)
})

test('long requests are read in a circle, and have their turns beside any number of short ones', async () => {
  const order = await orderOf([20, 20, ...Array.from({ length: 50 }, () => 4)])
  for (const long of [0, 1]) assert.ok(lastOf(order, long) < order.length - 40, `${order}`)
  assert.ok(Math.abs(lastOf(order, 0) - lastOf(order, 1)) < 12, `${order}`)
})

test('whoever leaves without asking again holds nobody up', async () => {
  const turns = createReadingTurns()
  await Promise.all([turns.take(1, 0), turns.take(2, 0)])
  let began = false
  const third = turns.take(3, 0).then(() => {
    began = true
  })
  await new Promise(setImmediate)
  assert.equal(began, false)
  turns.giveBack()
  await third
})
