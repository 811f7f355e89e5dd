import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en } from '../words/en.ts'
import { Refused } from './api.ts'
import { explain } from './attempt.ts'

test('a proxy that cannot reach the service is told in words, not by its number', () => {
  for (const status of [502, 504]) {
    assert.equal(explain(new Refused(status, `${status}`), en.errors), en.errors.unreachable)
  }
  assert.equal(explain(new Refused(503, '503'), en.errors), en.errors.unavailable)
  assert.equal(explain(new Refused(409, 'case: changed'), en.errors), 'case: changed')
})

test('only where the database is away is that said', () => {
  const said = (detail: string) => explain(new Refused(503, detail), en.errors)
  assert.equal(said('the database is unavailable: try again shortly'), en.errors.unavailable)
  assert.equal(
    said('no EDR is connected: nothing was done'),
    'no EDR is connected: nothing was done',
  )
})
