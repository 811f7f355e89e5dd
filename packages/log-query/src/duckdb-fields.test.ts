import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeFields, encodeFields } from './duckdb-fields.ts'
import { anyLog } from './testing/arbitrary.ts'

test('fields come back as they were, whatever they hold', () => {
  fc.assert(
    fc.property(anyLog, fc.array(fc.string({ maxLength: 5 })), ({ fields }, others) => {
      // JSON has no -0, and an event came as JSON.
      const sent = JSON.parse(JSON.stringify(fields))
      assert.deepEqual(decodeFields(encodeFields(sent, others)), sent)
    }),
  )
})

test('values that hold the separators get others', () => {
  const fields = { a: 'x\u001fy', b: ['\u001e', '\ue000'], 'c\u001f': '1', __proto__x: null }
  const columns = encodeFields(fields, ['other\ue001'])
  assert.deepEqual(decodeFields(columns), fields)
  assert.ok(![...columns.sep].some((char) => 'x\u001fy\u001e\ue000\ue001'.includes(char)))
})

test('events of one kind share their names and kinds', () => {
  const one = encodeFields({ EventID: 4624, User: 'a', Tags: ['x'] })
  const other = encodeFields({ EventID: 4625, User: 'b', Tags: ['y'] })
  assert.equal(one.names, other.names)
  assert.equal(one.kinds, other.kinds)
})

test('events whose names are not remembered come back too', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`name${at}`, at]))
  const long = { ['n'.repeat(100)]: 'x', b: null }
  const others = Array.from({ length: 3_000 }, (_, at) => ({ [`a${at}`]: 's', [`b${at}`]: null }))
  for (const fields of [many, long, ...others, { a: 1 }, many, { b: null, a: true }]) {
    assert.deepEqual(decodeFields(encodeFields(fields)), fields)
  }
})
