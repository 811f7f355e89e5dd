import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSieve } from './field-sieve.ts'

test('an event passes when it has a name of a field that was not told lately', () => {
  let now = 0
  const sieve = createSieve(() => now)
  const passes = (...names: string[]) =>
    sieve({ fields: Object.fromEntries(names.map((name) => [name, 1])) })
  assert.deepEqual(
    [passes('a', 'b'), passes('b', 'a'), passes('a', 'c'), passes('c'), passes()],
    [true, false, true, false, false],
  )
  now = 60_000
  assert.equal(passes('a'), true)
})
