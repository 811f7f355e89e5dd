import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHART_MINUTES, createCounters, OTHERS } from './counters.ts'

const log = (source: string) => ({ source, at: 5, received_at: 6 }) as never

test('sources beyond two hundred are counted together', () => {
  const counters = createCounters()
  for (let n = 0; n < 1_000; n += 1) counters.stored('api', log(`source ${n}`))
  assert.equal(counters.sources.size, 201)
  assert.equal(counters.sources.get(OTHERS)?.stored, 800)
})

test('minutes older than the chart are forgotten', () => {
  let now = 0
  const counters = createCounters(() => now)
  for (; now < 1_000 * 60_000; now += 60_000) counters.stored('api', log('a'))
  assert.equal(counters.sources.get('a')?.minutes.size, CHART_MINUTES)
})
