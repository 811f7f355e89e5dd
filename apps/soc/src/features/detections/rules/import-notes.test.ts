import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notesAfter } from './import-notes.ts'

const NOTE = 'the filter "Domain controllers" leaves events out'
const OFF = 'is off: a correlation counts its events, and by itself it raises no alert'
const rule = {
  ...({ query: 'a:1', kind: 'query', threshold: null, new_terms: null, sequence: null } as const),
  enabled: false,
}
const before = {
  ...rule,
  warnings: [
    NOTE,
    OFF,
    'no event has a field "a", and in a rule names are exact',
    'unknown placeholder {b}: neither the query nor stored events have it',
    'technique T1086 was replaced by T1059.001',
  ],
}

test('what an import said of a rule holds while the rule asks the same', () => {
  assert.deepEqual(notesAfter(before, rule), [NOTE, OFF])
  assert.deepEqual(notesAfter(before, { ...rule, enabled: true }), [NOTE])
  assert.deepEqual(notesAfter(before, { ...rule, query: 'a:2' }), [])
})
