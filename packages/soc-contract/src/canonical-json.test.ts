import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './canonical-json.ts'

const TABLE: [name: string, value: unknown, text: string][] = [
  ['keys are sorted at every level', { b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
  ['arrays keep their order', [3, 1, 2], '[3,1,2]'],
  ['no white space', { a: [1, { b: null }] }, '{"a":[1,{"b":null}]}'],
  ['literals', [true, false, null], '[true,false,null]'],
  ['empty ones', { a: {}, b: [], c: '' }, '{"a":{},"b":[],"c":""}'],
  // RFC 8785, section 3.2.2.3 and appendix B
  ['numbers as ECMAScript', [1e30, 4.5, 2e-3, 1e-27, -0], '[1e+30,4.5,0.002,1e-27,0]'],
  ['numbers without a needless fraction', [10.0, 1e2], '[10,100]'],
  // RFC 8785, section 3.2.2: the shortest escape, everything else literally
  [
    'strings escape only what they must',
    '€$\u000f\nA\'B"\\\\"/',
    '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"',
  ],
  // RFC 8785, section 3.2.3
  [
    'keys are sorted by UTF-16 code units',
    { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 },
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  ],
]

for (const [name, value, text] of TABLE) {
  test(`canonical JSON: ${name}`, () => assert.equal(canonicalJson(value), text))
}

for (const value of [
  undefined,
  Number.NaN,
  Infinity,
  1n,
  () => 0,
  new Date(0),
  '\ud800',
  Array(2),
]) {
  test(`canonical JSON refuses ${typeof value} ${Object.prototype.toString.call(value)}`, () =>
    assert.throws(() => canonicalJson(value), TypeError))
}

test('the canonical form of a parsed canonical form is itself', () => {
  const text = canonicalJson({ z: ['ü', { y: 0.1 }], a: '\u2028' })
  assert.equal(canonicalJson(JSON.parse(text)), text)
})

test('every character of ASCII is written as ECMAScript writes it, alone and among others', () => {
  for (let code = 0; code < 128; code += 1) {
    const text = `a ${String.fromCharCode(code)}-z`
    assert.equal(canonicalJson({ [text]: [text] }), JSON.stringify({ [text]: [text] }))
  }
})
