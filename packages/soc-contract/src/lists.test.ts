import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaskCreate } from './cases.ts'
import { moment } from './lists.ts'

// PostgreSQL takes neither these years nor an offset of a day, and .NET writes them for "not set".
for (const [text, said] of [
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00+02:00', undefined],
  ['0000-06-01T00:00:00Z', undefined],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59-01:00', undefined],
  ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
] as const) {
  test(`a time as others give it: ${text}`, () => {
    const read = moment.safeParse(text)
    assert.equal(read.data?.toISOString(), said)
    if (!said) assert.match(String(read.error), /must be in the years 1 to 9999/)
    const task = TaskCreate.safeParse({ title: 'call back', due_at: text })
    assert.deepEqual(task.data?.due_at, read.data)
  })
}

test('a time whose plus became a blank in an address says what to write', () => {
  const detail = (given: unknown) => moment.safeParse(given).error?.issues[0]?.message
  assert.match(detail('2026-01-01T00:00:00 02:00') ?? '', /write it as %2B/)
  for (const none of ['2026-01-01T00:00:00', { toString: 1 }]) {
    assert.match(detail(none) ?? '', /must be an ISO 8601 time with an offset/)
  }
})
