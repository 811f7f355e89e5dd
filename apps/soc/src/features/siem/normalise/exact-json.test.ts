import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactly, parseExactly } from './exact-json.ts'

test('whole numbers beyond 2^53 keep their digits, and so does what no number can hold; all others are what they were', () => {
  const json =
    '{"a":9007199254740993,"b":[-12345678901234567890, 9007199254740991],"c":0.30000000000000004,"d":"1772532000123456789","e":{"f":1772532000000000000},"g":123456789012345678901234567890,"h":1.5e300,"i":[1e400,-2.5E+999],"__proto__":12345678901234567891}'
  const value = parseExactly(json) as Record<string, unknown>
  assert.deepEqual(
    { ...value },
    {
      a: '9007199254740993',
      b: ['-12345678901234567890', 9_007_199_254_740_991],
      c: 0.30000000000000004,
      d: '1772532000123456789',
      e: { f: 1_772_532_000_000_000_000 },
      g: '123456789012345678901234567890',
      h: 1.5e300,
      i: ['1e400', '-2.5E+999'],
      ['__proto__']: '12345678901234567891',
    },
  )
})

test('what has no such number is left as it was read', () => {
  const value = { a: [1, 2.5, -9_007_199_254_740_991], b: { c: null, d: 'x', e: true } }
  assert.equal(exactly(value, 'no JSON at all'), value)
  assert.equal(exactly(-9_007_199_254_740_992, '-9007199254740993'), '-9007199254740993')
})
