import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAtATime } from './one-at-a-time.ts'

function setup() {
  const started: PromiseWithResolvers<void>[] = []
  const run = oneAtATime(() => {
    const gate = Promise.withResolvers<void>()
    started.push(gate)
    return gate.promise
  })
  return { started, run }
}

test('calls during a run share exactly one more run', async () => {
  const { started, run } = setup()
  const first = run()
  const second = run()
  const third = run()
  assert.equal(started.length, 1)
  started[0]?.resolve()
  await first
  await Promise.resolve()
  assert.equal(started.length, 2)
  started[1]?.resolve()
  await Promise.all([second, third])
  assert.equal(started.length, 2)
})

test('a call after the end runs again, and a failure stops nothing', async () => {
  const { started, run } = setup()
  const first = run()
  const second = run()
  started[0]?.reject(new Error('no card'))
  await assert.rejects(first, /no card/)
  started[1]?.resolve()
  await second
  const third = run()
  started[2]?.resolve()
  await third
  assert.equal(started.length, 3)
})
