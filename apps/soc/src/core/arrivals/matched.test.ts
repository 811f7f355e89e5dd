import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../testing/stored-log.ts'
import { batchOf, joined } from './log-batch.ts'
import { joinMatched, type Matched } from './matched.ts'

const [one, two, three] = ['one', 'two', 'three'].map((id) => storedLog({ id }))
const first: Matched = {
  edition: 3,
  found: [{ rule: 'a', logs: [0, 1] }],
  seen: { web: 2 },
  hits: { 0: one as never, 1: two as never },
}
const second: Matched = {
  edition: 3,
  found: [
    { rule: 'b', logs: [2] },
    { rule: 'a', logs: [2] },
  ],
  seen: { web: 1, mail: 1 },
  hits: { 2: three as never },
}
const batch = (size: number, matched?: Matched) => ({
  ...batchOf([]),
  size,
  receivedAt: 0,
  matched,
})

test('what was found in several batches is told by the places in all of them', () => {
  const all = joined([batch(2, first), batch(3, second)])
  assert.deepEqual(all.matched, {
    edition: 3,
    found: [
      { rule: 'a', logs: [0, 1, 4] },
      { rule: 'b', logs: [4] },
    ],
    seen: { web: 3, mail: 1 },
    hits: { 0: one, 1: two, 4: three },
  })
})

test('nothing is known of several when it is not known of one, or by other rules', () => {
  for (const other of [undefined, { ...second, edition: 4 }]) {
    assert.equal(joinMatched([batch(2, first), batch(3, other)]), undefined)
    assert.equal(joinMatched([batch(3, other), batch(2, first)]), undefined)
  }
  assert.equal(joinMatched([]), undefined)
})
