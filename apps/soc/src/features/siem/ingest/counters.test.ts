import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHART_MINUTES, createCounters, NO_PARSER, OTHERS } from './counters.ts'
import { tallyOf } from './tally.ts'

const tally = (source: string, fields = {}) =>
  tallyOf([{ id: '1', message: '', source, at: 5, received_at: 6, fields }])

test('sources beyond two hundred are counted together', () => {
  const counters = createCounters()
  for (let n = 0; n < 1_000; n += 1) counters.stored('api', tally(`source ${n}`), 6)
  assert.equal(counters.sources.size, 201)
  assert.equal(counters.sources.get(OTHERS)?.stored, 800)
})

test('minutes older than the chart are forgotten', () => {
  let now = 0
  const counters = createCounters(() => now)
  for (; now < 1_000 * 60_000; now += 60_000) counters.stored('api', tally('a'), 6)
  assert.equal(counters.sources.get('a')?.minutes.size, CHART_MINUTES)
})

test('stored events are counted by the parser that read them', () => {
  const counters = createCounters()
  for (const fields of [{ _parser: 'a.b' }, {}, { _parser: 'a.b' }]) {
    counters.stored('api', tally('x', fields), 6)
  }
  assert.deepEqual(counters.parsers.get('a.b'), { events: 2, lastAt: 6 })
  assert.deepEqual(counters.parsers.get(NO_PARSER), { events: 1, lastAt: 6 })
})
