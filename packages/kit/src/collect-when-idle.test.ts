import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { collectWhenIdle } from './collect-when-idle.ts'

const MB = 2 ** 20

function thread(t: TestContext, inUse = 20 * MB) {
  const seen = { heap: { total: inUse, used: inUse }, utilisation: 0, collected: 0 }
  const { look, stop } = collectWhenIdle({
    heap: () => seen.heap,
    utilisation: () => seen.utilisation,
    collect() {
      seen.collected += 1
      seen.heap = { total: inUse + 5 * MB, used: inUse }
    },
  })
  t.after(stop)
  return { seen, look }
}

test('what a burst left is collected once the thread waits', (t) => {
  const { seen, look } = thread(t)
  seen.heap = { total: 200 * MB, used: 150 * MB }
  seen.utilisation = 0.9
  look()
  assert.equal(seen.collected, 0, 'those who ask go first')
  seen.utilisation = 0.01
  look()
  assert.equal(seen.collected, 1)
  look()
  assert.equal(seen.collected, 1, 'what is left is in use')
})

test('a little garbage is left to V8', (t) => {
  const { seen, look } = thread(t)
  seen.heap = { total: 45 * MB, used: 40 * MB }
  look()
  assert.equal(seen.collected, 0)
})

test('a heap with much in use is never collected at once', (t) => {
  const { seen, look } = thread(t, 400 * MB)
  seen.heap = { total: 900 * MB, used: 800 * MB }
  look()
  assert.equal(seen.collected, 0)
})
