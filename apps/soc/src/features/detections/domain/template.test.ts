import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../../testing/stored-log.ts'
import { fieldPlaceholders, render } from './template.ts'

const rule = { id: 'r1', name: 'Odd shell', alert_severity: 'high' as const }
const log = storedLog({
  at: Date.UTC(2026, 2, 2, 7, 44),
  host: 'web-1',
  message: 'sh -c id',
  fields: { CommandLine: 'sh -c id', 'process.name': 'sh', user: 'svc', tags: ['a', 'b'], pid: 7 },
})

const examples: [string, string][] = [
  ['{rule_name} on {host}', 'Odd shell on web-1'],
  ['{message} by {CommandLine}', 'sh -c id by sh -c id'],
  ['{process.name} {pid} {tags}', 'sh 7 a, b'],
  ['{timestamp} {alert_severity} {rule_id}', '2026-03-02T07:44:00.000Z high r1'],
  // A common name is the column; the field of that name has its own.
  ['{user} {fields.user}', '- svc'],
  ['{Unknown} and {also unknown}', '{Unknown} and {also unknown}'],
  ['{"json": 1} {} {{host}}', '{"json": 1} {} {web-1}'],
  ['{constructor}', '{constructor}'],
]

for (const [template, text] of examples) {
  test(`${template} becomes ${text}`, () => assert.equal(render(template, rule, log), text))
}

test('what a value says is not a placeholder again', () => {
  const sly = storedLog({ message: '{host}', host: 'web-1' })
  assert.equal(render('{message}', rule, sly), '{host}')
})

test('what PostgreSQL cannot keep is replaced', () => {
  assert.equal(render('{message}', rule, storedLog({ message: 'a\0b\ud800' })), 'a\ufffdb\ufffd')
})

test('placeholders over fields are told, each once', () => {
  assert.deepEqual(fieldPlaceholders('{rule_name} {host} {A} {A}', '{b.c} {timestamp}'), [
    'A',
    'b.c',
  ])
})
