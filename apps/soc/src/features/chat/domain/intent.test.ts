import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Intent, readQuestion } from './intent.ts'

const NOW = Date.parse('2026-03-02T12:00:00Z')
const ID = '0199a1b2-0000-7000-8000-000000000001'

const CASES: [string, Intent][] = [
  ['what happened on host fin-ws-07?', { kind: 'entity', what: 'host', name: 'fin-ws-07' }],
  ['What happened on web-1 in the last 2 hours?', { kind: 'entity', what: 'host', name: 'web-1' }],
  ['what happened to user sara.h today', { kind: 'entity', what: 'user', name: 'sara.h' }],
  ['what did account CORP\\svc do', { kind: 'entity', what: 'user', name: 'CORP\\svc' }],
  ['anything about 203.0.113.9?', { kind: 'entity', what: 'address', name: '203.0.113.9' }],
  [`explain alert ${ID}`, { kind: 'alert', id: ID }],
  [ID.toUpperCase(), { kind: 'alert', id: ID }],
  [`show case ${ID}`, { kind: 'case', id: ID }],
  ['open cases', { kind: 'open-cases' }],
  ['which cases are open?', { kind: 'open-cases' }],
  ['show the latest alerts', { kind: 'new-alerts' }],
  ['who did what today', { kind: 'who-did', target: undefined }],
  [`who closed ${ID}?`, { kind: 'who-did', target: ID }],
  [
    'search host:web-* AND "failed password"',
    { kind: 'search', query: 'host:web-* AND "failed password"' },
  ],
  ['find mimikatz in the last 7 days', { kind: 'search', query: 'mimikatz' }],
  ['hello', { kind: 'help' }],
  ['', { kind: 'help' }],
]

for (const [text, intent] of CASES) {
  test(`${text}: ${intent.kind}`, () => assert.deepEqual(readQuestion(text, NOW).intent, intent))
}

test('the time is the last day unless the question says another', () => {
  const hoursBack = (text: string) => (NOW - readQuestion(text, NOW).from.getTime()) / 3_600_000
  assert.equal(hoursBack('what happened on host a'), 24)
  assert.equal(hoursBack('what happened on host a in the last 2 hours'), 2)
  assert.equal(hoursBack('search x in the past week'), 168)
  assert.equal(hoursBack('search x last 30 minutes'), 0.5)
})
