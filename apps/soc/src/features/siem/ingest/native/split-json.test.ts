import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitJson, splitLines } from './split-json.ts'

function pieces(text: string): unknown[] {
  const body = Buffer.from(text)
  return [...splitJson(body)].map(([start, end]) => JSON.parse(body.toString('utf8', start, end)))
}

const SAME: [shape: string, text: string][] = [
  ['a list', '[{"a":1},{"b":"]}\\"{"}]'],
  ['events', ' { "events" : [ {"a":1} , {"b":"]}\\"{"} ] } '],
  ['one after the other', '{"a":1}{"b":"]}\\"{"}'],
  ['one a line', '{"a":1}\r\n{"b":"]}\\"{"}\n'],
  ['a JSON text sequence', '\x1e{"a":1}\n\x1e{"b":"]}\\"{"}\n'],
]
for (const [shape, text] of SAME) {
  test(shape, () => assert.deepEqual(pieces(text), [{ a: 1 }, { b: ']}"{' }]))
}

test('one event alone, and none', () => {
  assert.deepEqual(pieces('{"events":5}'), [{ events: 5 }])
  assert.deepEqual(pieces('{"events":[]}'), [])
  assert.deepEqual(pieces('[]'), [])
  assert.deepEqual(pieces(''), [])
})

const MALFORMED = ['[{"a":1}', '[{"a":1},]', '[1 2]', '{"events":[{}]', '[]x', '{"a":"', '[,]', ']']
for (const text of MALFORMED) {
  test(`malformed: ${text}`, () => assert.throws(() => pieces(text), /body: is not/))
}

test('every list is split where its values are', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), (list) => {
      const sent = JSON.parse(JSON.stringify(list))
      assert.deepEqual(pieces(JSON.stringify(list, null, 1)), sent)
      assert.deepEqual(pieces(JSON.stringify({ events: list })), sent)
    }),
    { numRuns: 200 },
  )
})

test('lines', () => {
  const body = Buffer.from('a\r\n\n  \nb c\nd')
  const lines = [...splitLines(body)].map(([start, end]) => body.toString('utf8', start, end))
  assert.deepEqual(lines, ['a', 'b c', 'd'])
})
