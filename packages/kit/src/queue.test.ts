import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQueue } from './queue.ts'

test('work begins when the work before it is done, in the order it was asked for', async () => {
  const queue = createQueue()
  const first = Promise.withResolvers<void>()
  const seen: string[] = []
  const one = queue.run(async () => {
    seen.push('one begins')
    await first.promise
    seen.push('one ends')
  })
  const two = queue.run(() => seen.push('two'))
  await Promise.resolve()
  assert.deepEqual(seen, ['one begins'])
  first.resolve()
  await Promise.all([one, two])
  assert.deepEqual(seen, ['one begins', 'one ends', 'two'])
})

test('each caller gets its own result or failure, and a failure stops nobody else', async () => {
  const queue = createQueue()
  const bad = queue.run(async () => {
    throw new Error('mine')
  })
  const thrown = queue.run(() => {
    throw new Error('thrown at once')
  })
  const good = queue.run(() => 'good')
  await assert.rejects(bad, /mine/)
  await assert.rejects(thrown, /thrown at once/)
  assert.equal(await good, 'good')
})

test('idle resolves after what was asked for before it, also when that failed', async () => {
  const queue = createQueue()
  let isDone = false
  queue
    .run(async () => {
      await Promise.resolve()
      isDone = true
      throw new Error('mine')
    })
    .catch(() => {})
  await queue.idle()
  assert.equal(isDone, true)
})
