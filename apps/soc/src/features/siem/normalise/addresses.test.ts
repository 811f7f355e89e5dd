import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isV4 } from './addresses.ts'

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

test('four numbers are an address when the pattern of one says so', () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 300 }).map(String),
    fc.constantFrom('', '0', '00', '01', '001', '099', '1a', ' 1', '٣', '255', '256'),
  )
  const texts = fc
    .tuple(fc.array(number, { minLength: 3, maxLength: 5 }), fc.constantFrom('', '.', '\n', ' '))
    .map(([numbers, end]) => numbers.join('.') + end)
  fc.assert(
    fc.property(fc.oneof(texts, fc.ipV4()), (text) => assert.equal(isV4(text), V4.test(text))),
    { numRuns: 5_000 },
  )
})
