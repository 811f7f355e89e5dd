import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { evaluate, isTrue } from './evaluate.ts'
import { parseExpression, pathsOf } from './expression.ts'

const scope = {
  alert: {
    severity: 'Critical',
    host: 'fin-ws-07',
    iocs: ['203.0.113.45', 'evil.example'],
    count: 12,
    note: null,
    'a-b': 1,
  },
  params: { list: [], flag: false, text: '' },
}

for (const [source, value] of [
  ['alert.severity', 'Critical'],
  ['alert.iocs.1', 'evil.example'],
  ['alert.a-b', 1],
  ['alert.nothing', null],
  ['alert.nothing.deeper', null],
  ['nobody', null],
  ['alert.constructor', null],
  ['alert.__proto__', null],
  ['alert.iocs.length', 2],
  ["'it\\'s'", "it's"],
  ['-1.5', -1.5],
  ["[1, 'a', null]", [1, 'a', null]],
  ['[]', []],
  ["alert.severity == 'critical'", true],
  ["alert.severity != 'critical'", false],
  ['alert.count == 12', true],
  ["alert.count == '12'", false],
  ['alert.count >= 12 and alert.count < 13', true],
  ['alert.nothing > 1', false],
  ['alert.nothing < 1', false],
  ["alert.severity in ['high', 'critical']", true],
  ["alert.iocs contains 'EVIL.example'", true],
  ["alert.host contains 'ws'", true],
  ["alert.host startswith 'fin-' and alert.host endswith '07'", true],
  ['not alert.note', true],
  ['not alert.count == 12', false],
  ['not alert.note and false', false],
  ['true or false and false', true],
  ['(true or false) and false', false],
  ["alert.note ?? 'none'", 'none'],
  ["alert.note ?? alert.host ?? 'x'", 'fin-ws-07'],
  ["(alert.note ?? 'x') == 'x'", true],
  ['params.list or params.flag or params.text', false],
] as const) {
  test(`${source} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(evaluate(parseExpression(source), scope), value)
  })
}

for (const [source, message] of [
  ['', 'column 1: something is missing'],
  ['alert.severity ==', 'column 18: something is missing'],
  ['a b', 'column 3: unexpected b'],
  ['a && b', 'column 2: unexpected &'],
  ['a = 1', 'column 2: unexpected ='],
  ['f(1)', 'column 2: unexpected ('],
  ['(a', 'column 3: something is missing'],
  ['[1, 2', 'column 6: something is missing'],
  ["'open", "column 1: unexpected '"],
  ['1 < 2 < 3', 'column 7: unexpected <'],
  ['and', 'column 1: unexpected and'],
  ['a.b; c', 'column 4: unexpected ;'],
] as const) {
  test(`${JSON.stringify(source)} is refused: ${message}`, () => {
    assert.throws(() => parseExpression(source), { message })
  })
}

test('the paths an expression reads are known before it runs', () => {
  const paths = pathsOf(parseExpression("not a.b == 'x' or c.d in [e, 'f', g.h ?? i]"))
  assert.deepEqual(
    paths.map((path) => path.join('.')),
    ['a.b', 'c.d', 'e', 'g.h', 'i'],
  )
})

test('too deep nesting is refused instead of ending the stack', () => {
  assert.throws(() => parseExpression('('.repeat(10_000)), { message: /nested too deeply/ })
  assert.throws(() => parseExpression('not '.repeat(10_000)), { message: /nested too deeply/ })
})

test('whatever is written, the parser answers or refuses, and never reaches a prototype', () => {
  const word = fc.constantFrom(
    'a',
    'a.b',
    'constructor',
    '__proto__',
    'a.constructor.name',
    '==',
    'and',
    'not',
    'in',
    '(',
    ')',
    '[',
    ']',
    ',',
    '??',
    '1',
    "'x'",
    '<',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join(' ')),
      ),
      (source) => {
        let value: unknown
        try {
          value = evaluate(parseExpression(source), { a: { b: 1 } })
        } catch (error) {
          assert.match((error as Error).message, /^column \d+: /)
          return
        }
        assert.notEqual(typeof value, 'function')
        assert.equal(typeof isTrue(value), 'boolean')
      },
    ),
    { numRuns: 2_000 },
  )
})
