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

test('a name that ends with an escape is its own, whatever other texts had in its place', () => {
  // What comes behind a name that nobody else has: else there are several that it may be.
  parseExactly(String.raw`{"only-here":1,"n\\":0}`)
  parseExactly(String.raw`{"only-there":1,"\\":0}`)
  for (const json of [
    String.raw`{"only-here":1,"n\n":0}`,
    String.raw`[{"a":"c:\\d\\\":","b":{"only-here":1,"n\"":0},"__proto__":{},"n\\":2.5}]`,
    String.raw`{"b":{"only-there":1,"\t":0},"c":{"only-there":1,"\\":12}}`,
  ]) {
    assert.equal(JSON.stringify(parseExactly(json)), json)
  }
  const spaced = String.raw`{ "only-here" : 12345678901234567890 , "n\u00e9" : "\\" }`
  assert.deepEqual(parseExactly(spaced), { 'only-here': '12345678901234567890', né: '\\' })
})
