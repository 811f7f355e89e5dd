import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineTime } from './line-time.ts'

test('an event of another day says which, one of another year its year', () => {
  const now = new Date(2026, 10, 17, 18)
  const said = (...at: [number, number, number]) =>
    lineTime(new Date(...at, 0, 5, 6, 7).toISOString(), now, 'en-GB')
  assert.equal(said(2026, 10, 17), '00:05:06.007')
  assert.equal(said(2026, 3, 27), '27 Apr 00:05:06.007')
  assert.equal(said(2022, 3, 27), '27 Apr 2022 00:05:06.007')
})
