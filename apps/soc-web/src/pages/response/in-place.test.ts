import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPlace } from './in-place.ts'

test('what is decided or new moves nothing that is in sight', () => {
  assert.deepEqual(inPlace([], ['a', 'b']), ['a', 'b'])
  assert.deepEqual(inPlace(['a', 'b'], ['new', 'b']), ['a', 'b', 'new'])
  const day = Array.from({ length: 80 }, (_, at) => `gone ${at}`)
  const left = inPlace([...day, 'b'], ['b'])
  assert.deepEqual([left.length, left[0], left.at(-1)], [51, 'gone 30', 'b'])
})
