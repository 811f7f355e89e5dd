import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectionOf } from './selection.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 2, 10)

const TIMES: [query: string, from: number | undefined, to: number | undefined][] = [
  ['', undefined, undefined],
  ['timestamp:>=now-1d', NOW - DAY, undefined],
  ['root timestamp:2026-03-01', Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)],
  ['timestamp:>=2026-03-01 timestamp:>=2026-03-02', Date.UTC(2026, 2, 2), undefined],
  // These hold for other moments too.
  ['timestamp:>=now-1d OR root', undefined, undefined],
  ['NOT timestamp:>=now-1d', undefined, undefined],
]

for (const [query, from, to] of TIMES) {
  test(`"${query}" is searched ${from ?? 'from the first event'} to ${to ?? 'the last'}`, () => {
    assert.deepEqual(selectionOf({ query }, NOW).time, { from, to })
  })
}

test('the narrower of the range and the query holds', () => {
  const { time } = selectionOf({ query: 'timestamp:>=now-1d', from: new Date(NOW - 5 * DAY) }, NOW)
  assert.equal(time.from, NOW - DAY)
})
