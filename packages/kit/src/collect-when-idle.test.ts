import assert from 'node:assert/strict'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
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

test('the heap is gone over once: again and again in one go would be a stall', async (t) => {
  let heap = { total: 20 * MB, used: 20 * MB }
  const { look, stop } = collectWhenIdle({ heap: () => heap, utilisation: () => 0 })
  t.after(stop)
  const collections: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => collections.push(...majorOnes(list)))
  observer.observe({ entryTypes: ['gc'] })
  t.after(() => observer.disconnect())
  heap = { total: 60 * MB, used: 60 * MB }
  look()
  while (collections.length === 0) await turn()
  for (let turns = 0; turns < 10; turns += 1) await turn()
  assert.equal(collections.length, 1)
})

const majorOnes = (list: { getEntries(): PerformanceEntry[] }) =>
  list.getEntries().filter((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR)

const kindOf = (entry: PerformanceEntry) => (entry as { detail?: { kind?: number } }).detail?.kind
