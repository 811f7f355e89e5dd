import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSteadyReads } from './steady-reads.ts'

test('a read during which something changed begins again, and the next change waits for it', async () => {
  const steady = createSteadyReads()
  const stored = { value: 0 }
  const change = (value: number) =>
    steady.change(async () => {
      stored.value = value
    })
  const begun: number[] = []
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const reading = steady.read(async () => {
    const seen = stored.value
    begun.push(seen)
    await (begun.length === 1 ? first : second).promise
    return seen
  })
  const changed = change(1)
  first.resolve()
  await changed.catch(() => {})
  // The second attempt is under way: this one may not come between.
  while (begun.length < 2) await new Promise(setImmediate)
  const later = change(2)
  await new Promise(setImmediate)
  assert.equal(stored.value, 1)
  second.resolve()
  assert.equal(await reading, 1)
  await later
  assert.deepEqual([stored.value, begun], [2, [0, 1]])
})

test('a change that fails lets others go on', async () => {
  const steady = createSteadyReads()
  await assert.rejects(
    steady.change(() => Promise.reject(new Error('full'))),
    /full/,
  )
  assert.equal(await steady.read(async () => 'read'), 'read')
})
