import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LogRecord } from '@manara/log-query/event'
import { logWith, matches, reasonFor, ruleWith } from './testing/sigma-fixture.ts'

type Fields = LogRecord['fields']

/** `item` is the one line of a selection; the events it must and must not match. */
const ITEMS: [item: string, matching: Fields[], other: Fields[]][] = [
  // Values are compared whole and without regard to case.
  [`A: Cmd.exe`, [{ A: 'cmd.EXE' }], [{ A: 'cmd.exe ' }, { B: 'cmd.exe' }, {}]],
  [`A: 4624`, [{ A: 4624 }, { A: '4624' }], [{ A: '46240' }]],
  [`A: true`, [{ A: true }, { A: 'True' }], [{ A: 'yes' }]],
  [`A: 0x1F0`, [{ A: '0x1f0' }], [{ A: 496 }]],
  [`A: ''`, [{ A: '' }], [{}, { A: null }, { A: ' ' }]],
  [`A: null`, [{}, { A: null }], [{ A: '' }, { A: 'null' }]],
  [`A: [x, null]`, [{}, { A: 'X' }], [{ A: 'y' }]],
  [`A b c: x`, [{ 'A b c': 'x' }], [{ A: 'x' }]],
  [`A: x`, [{ A: ['y', 'x'] }], [{ A: ['xy'] }]],
  // Wildcards and their escapes.
  [`A: 'a*c'`, [{ A: 'ac' }, { A: 'aB\nC' }], [{ A: 'acd' }]],
  [`A: 'a?c'`, [{ A: 'abc' }], [{ A: 'ac' }]],
  [String.raw`A: 'a\*c'`, [{ A: 'a*c' }], [{ A: 'abc' }]],
  [String.raw`A: 'a\?c'`, [{ A: 'a?c' }], [{ A: 'abc' }]],
  [String.raw`A: 'a\\*c'`, [{ A: 'a\\bc' }], [{ A: 'a*c' }]],
  [String.raw`A: 'a\\\*c'`, [{ A: 'a\\*c' }], [{ A: 'a\\bc' }]],
  [String.raw`A: 'C:\Temp\x'`, [{ A: 'c:\\temp\\X' }], [{ A: 'c:temp' }]],
  [String.raw`A: '\\\\srv\c$'`, [{ A: '\\\\srv\\c$' }], [{ A: '\\srv\\c$' }]],
  [String.raw`A|endswith: '\'`, [{ A: 'x\\' }], [{ A: 'x' }]],
  [`A: '*'`, [{ A: '' }, { A: 'x' }], [{}]],
  // Modifiers.
  [`A|contains: bc`, [{ A: 'aBCd' }], [{ A: 'b c' }]],
  [`A|startswith: ab`, [{ A: 'ABc' }], [{ A: 'cab' }]],
  [`A|endswith: [x.exe, y.exe]`, [{ A: 'C:\\Y.EXE' }], [{ A: 'x.exe.bak' }]],
  [`A|contains|all: [x, y]`, [{ A: 'y-x' }], [{ A: 'x' }]],
  [`A|contains|cased: Bc`, [{ A: 'aBcd' }], [{ A: 'abcd' }]],
  [`A|re: '^a[0-9]+$'`, [{ A: 'a12' }], [{ A: 'A12' }, { A: 'a' }]],
  [`A|re|i: '^a[0-9]+$'`, [{ A: 'A12' }], []],
  [`A|re: '(?i)^a[0-9]+$'`, [{ A: 'A12' }], []],
  [`A|re|s: 'a.b'`, [{ A: 'a\nb' }], []],
  [`A|re: 'a.b'`, [], [{ A: 'a\nb' }]],
  [`A|re|m: '^b'`, [{ A: 'a\nb' }], []],
  [`A|cidr: 10.0.0.0/8`, [{ A: '10.200.3.4' }], [{ A: '11.0.0.1' }, { A: 'x' }]],
  [`A|cidr: 'fe80::/10'`, [{ A: 'fe80::1' }], [{ A: '::1' }]],
  [`A|exists: true`, [{ A: '' }], [{}, { A: null }]],
  [`A|exists: false`, [{}], [{ A: '' }]],
  [`A|fieldref: B`, [{ A: 'x', B: 'X' }], [{ A: 'x', B: 'y' }, {}]],
  [`A|fieldref|startswith: B`, [{ A: 'xyz', B: 'XY' }], [{ A: 'xyz', B: 'yz' }]],
  [`A|fieldref|endswith: B`, [{ A: 'xyz', B: 'yz' }], [{ A: 'xyz', B: 'xy' }]],
  [`A|fieldref|contains: B`, [{ A: 'xyz', B: 'y' }], [{ A: 'xyz', B: 'a' }]],
  [`A|lt: 10`, [{ A: 9 }, { A: '9.5' }], [{ A: 10 }, { A: 'x' }]],
  [`A|lte: 10`, [{ A: 10 }], [{ A: 11 }]],
  [`A|gt: 10`, [{ A: 11 }], [{ A: 10 }]],
  [`A|gte: '10'`, [{ A: 10 }], [{ A: 9 }]],
  [`A|hour: 3`, [{ A: '2026-01-31T03:15:07Z' }], [{ A: '2026-01-31T13:03:03Z' }, { A: 3 }, {}]],
  [`A|hour|gte: 22`, [{ A: '2026-01-31 23:15:07.123' }], [{ A: '2026-01-31 21:59:59' }]],
  [`A|minute|lt: 5`, [{ A: '2026-01-31T22:04' }], [{ A: '2026-01-31T22:05:01' }]],
  [`A|day: [1, 31]`, [{ A: '2026-01-31' }, { A: '2026-12-01T00:00' }], [{ A: '2026-01-13' }]],
  [`A|month|neq: 1`, [{ A: '2026-02-01' }], [{ A: '2026-01-02' }]],
  [`A|year|gt: 2025`, [{ A: '2026-02-01' }], [{ A: '2025-01-02' }]],
  [`A|neq: x`, [{ A: 'y' }, {}], [{ A: 'X' }]],
  [`A|contains|neq: [x, y]`, [{ A: 'z' }], [{ A: 'ay' }]],
  [`A|windash|contains: ' -enc'`, [{ A: 'p /enc' }, { A: 'p –enc' }], [{ A: 'p enc' }]],
  [`A|windash|contains|all: [' -a', ' -b']`, [{ A: 'x /a -b' }], [{ A: 'x /a' }]],
  [`A|contains|windash: 'a-b'`, [{ A: 'a-b' }], [{ A: 'a/b' }]],
  [`A|base64: foobar`, [{ A: 'Zm9vYmFy' }], [{ A: 'foobar' }]],
  [
    `A|base64offset|contains: /bin/bash`,
    [{ A: b64('x/bin/bash -i') }, { A: b64('xy/bin/bash') }],
    [],
  ],
  [`A|wide|base64offset|contains: ping`, [{ A: wide64('aping ') }, { A: wide64('abping') }], []],
  [`A|utf16be|base64: a`, [{ A: 'AGE=' }], []],
  [`A|utf16|base64: a`, [{ A: '//5hAA==' }], []],
  [`A|wide: ab`, [{ A: 'a\0b\0' }], [{ A: 'ab' }]],
]

function b64(text: string) {
  return Buffer.from(text).toString('base64')
}
function wide64(text: string) {
  return Buffer.from(text, 'utf16le').toString('base64')
}

describe('an item of a selection', () => {
  for (const [item, matching, other] of ITEMS) {
    test(item, () => {
      const rule = ruleWith(`selection:\n    ${item}\ncondition: selection`)
      for (const fields of matching)
        assert.ok(matches(rule, logWith(fields)), JSON.stringify(fields))
      for (const fields of other) assert.ok(!matches(rule, logWith(fields)), JSON.stringify(fields))
    })
  }
})

describe('a selection', () => {
  test('as a map needs every item, as a list of maps any of them', () => {
    const map = ruleWith('s:\n    A: x\n    B: y\ncondition: s')
    assert.ok(matches(map, logWith({ A: 'x', B: 'y' })))
    assert.ok(!matches(map, logWith({ A: 'x' })))
    const list = ruleWith('s:\n    - A: x\n    - B: y\n      C: z\ncondition: s')
    assert.ok(matches(list, logWith({ A: 'x' })))
    assert.ok(!matches(list, logWith({ B: 'y' })))
  })

  test('of keywords looks in the message and every value', () => {
    const rule = ruleWith('keywords:\n    - evil\n    - 4711\n    - a*z\ncondition: keywords')
    assert.ok(matches(rule, logWith({}, 'an EVIL thing')))
    assert.ok(matches(rule, logWith({ note: 'code 4711' })))
    assert.ok(matches(rule, logWith({ note: 'from A to Z' })))
    assert.ok(!matches(rule, logWith({ evil: 'no' }, 'good')))
  })

  test('of keywords with |all needs each of them somewhere', () => {
    const rule = ruleWith(
      "keywords:\n    '|all':\n        - one\n        - two\ncondition: keywords",
    )
    assert.ok(matches(rule, logWith({ a: 'two' }, 'one')))
    assert.ok(!matches(rule, logWith({}, 'one')))
  })
})

describe('what cannot be taken as it stands is refused with the reason', () => {
  const cases: [item: string, reason: RegExp][] = [
    ['A|re: "a(?=b)"', /selection: A\|re: the regular expression looks ahead/],
    ['A|re: "(?<!a)b"', /looks ahead or behind/],
    ['A|re: "(a)\\\\1"', /refers back to a group/],
    ['A|re: "a++"', /possessive/],
    ['A|re: "(?>a)"', /atomic/],
    ['A|re: "a(b"', /cannot be used/],
    ['A|week: 3', /week cannot be told/],
    ['A|hour: 24', /hour needs a number of 0 to 23, not 24/],
    ['A|hour: late', /hour needs a number of 0 to 23, not late/],
    ['A|day|contains: 3', /only lt, lte, gt or gte can follow day, not contains/],
    ['A|sounds_like: x', /sounds_like is not known/],
    ['A|cidr: 10.0.0.0/40', /no network/],
    ['A|lt: many', /lt needs a number/],
    ['A|base64: "a*"', /wildcards cannot be encoded/],
    [`A: '${'a*'.repeat(101)}'`, /more than 100 wildcards/],
    [`A|contains: '${'a?'.repeat(101)}'`, /more than 100 wildcards/],
    ['A|exists: maybe', /exists takes true or false/],
    ['A|contains: null', /null cannot take/],
    ['A: []', /list of values is empty/],
    ['A: {B: c}', /a value is a text, a number/],
    ['A|fieldref|re: B', /re cannot follow fieldref/],
    ["A|windash: ' -a -b -c -d'", /windash over 4 dashes/],
  ]
  for (const [item, reason] of cases) {
    test(item, () => {
      assert.match(reasonFor(ruleWith(`selection:\n    ${item}\ncondition: selection`)), reason)
    })
  }
})
