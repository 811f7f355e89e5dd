import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sha256, spelled } from './hash.ts'

test('a text and the bytes of a file have the hash that sha256sum gives them', async () => {
  const text = 'الدليل and évidence'
  const expected = createHash('sha256').update(text).digest('hex')
  assert.equal(await sha256(text), expected)
  assert.equal(await sha256(new TextEncoder().encode(text).buffer as ArrayBuffer), expected)
})

test('an event has one spelling whatever the order of its fields', () => {
  assert.equal(spelled({ b: 1, a: { d: null, c: undefined } }), '{"a":{"d":null},"b":1}')
})
