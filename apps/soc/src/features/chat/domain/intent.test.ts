import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Intent, readQuestion } from './intent.ts'

const NOW = Date.parse('2026-03-02T12:00:00Z')
const ID = '0199a1b2-0000-7000-8000-000000000001'

const OPEN_ALERTS = ['new', 'triaged', 'investigating', 'escalated'] as const
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
  ['how many alerts are open?', { kind: 'such-alerts', such: { statuses: OPEN_ALERTS } }],
  [
    'how many critical or high alerts are not closed',
    { kind: 'such-alerts', such: { statuses: OPEN_ALERTS, severities: ['critical', 'high'] } },
  ],
  [
    'show closed alerts on host web-1',
    { kind: 'such-alerts', such: { statuses: ['closed'], host: 'web-1' } },
  ],
  [
    'which alerts are open on WEB-1?',
    { kind: 'such-alerts', such: { statuses: OPEN_ALERTS, host: 'WEB-1' } },
  ],
  ['how many alerts', { kind: 'new-alerts' }],
  ['what alerts came on Monday', { kind: 'new-alerts' }],
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
  assert.equal(hoursBack('who did what'), 24)
  assert.equal(hoursBack(`who changed ${ID} in the last 3 days`), 72)
  assert.equal(readQuestion(`who changed ${ID}`, NOW).from.getTime(), 0)
  assert.equal(readQuestion('how many alerts are open', NOW).from.getTime(), 0)
  assert.equal(hoursBack('how many alerts of today are open'), 24)
  assert.equal(hoursBack('how many high alerts'), 24)
})

const OTHER = '0199a1b2-0000-7000-8000-000000000002'
const OPEN: [string, object, Intent][] = [
  ['explain this', { alert_id: ID }, { kind: 'alert', id: ID }],
  ['Explain', { alert_id: ID }, { kind: 'alert', id: ID }],
  ['what is this?', { case_id: ID }, { kind: 'case', id: ID }],
  ['what about this case', { alert_id: OTHER, case_id: ID }, { kind: 'case', id: ID }],
  ['what happened on this host?', { alert_id: ID }, { kind: 'host-of', alertId: ID }],
  ['anything else on this host', { host: 'w-1' }, { kind: 'entity', what: 'host', name: 'w-1' }],
  ['explain this line', { log_id: 'e-1' }, { kind: 'log', id: 'e-1' }],
  ['who changed this?', { alert_id: ID }, { kind: 'who-did', target: ID }],
  [`explain alert ${OTHER}`, { alert_id: ID }, { kind: 'alert', id: OTHER }],
  ['explain this', {}, { kind: 'help' }],
  ['isolate this host', {}, { kind: 'act', wish: { what: 'isolate', host: undefined } }],
  ['Please isolate host web-1.', {}, { kind: 'act', wish: { what: 'isolate', host: 'web-1' } }],
  ['block 203.0.113.9', {}, { kind: 'act', wish: { what: 'block', value: '203.0.113.9' } }],
  [
    'disable the account h.salem',
    {},
    { kind: 'act', wish: { what: 'disable', account: 'h.salem' } },
  ],
  ['open a case for this', {}, { kind: 'act', wish: { what: 'open-case' } }],
  [
    'run playbook contain-ransomware on this alert',
    {},
    { kind: 'act', wish: { what: 'playbook', name: 'contain-ransomware' } },
  ],
  ['was host web-1 isolated?', {}, { kind: 'entity', what: 'host', name: 'web-1' }],
]
for (const [text, at, intent] of OPEN) {
  test(`${text}, looking at ${JSON.stringify(at)}: ${intent.kind}`, () =>
    assert.deepEqual(readQuestion(text, NOW, at).intent, intent))
}
