import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '@manara/log-query/parse'
import { createFieldCatalogue } from './domain/field-catalogue.ts'
import { missingFields } from './exact-fields.ts'

const notesOn = (text: string, names: string[] | undefined) => {
  const catalogue = createFieldCatalogue()
  if (names) catalogue.read(names, { areAll: true })
  const parsed = parseQuery(text, 0)
  assert.ok(parsed.ok)
  return missingFields(parsed.query, catalogue)
}

test('a rule hears of fields that no event has, and what events have instead', () => {
  const names = ['CommandLine', 'EventID']
  assert.deepEqual(notesOn('CommandLine:x AND EventID:1 AND host:a', names), [])
  assert.deepEqual(notesOn('commandline:x', names), [
    'no event has a field "commandline", and in a rule names are exact; events have CommandLine',
  ])
  assert.match(notesOn('source.ip:1.2.3.4', names)[0] ?? '', /events have src_ip$/)
  assert.match(notesOn('ComandLine:x', names)[0] ?? '', /events have CommandLine$/)
  assert.match(notesOn('zzz:x', names)[0] ?? '', /names are exact$/)
  assert.deepEqual(notesOn('zzz:x', undefined), [], 'nothing is said before events were looked at')
})
