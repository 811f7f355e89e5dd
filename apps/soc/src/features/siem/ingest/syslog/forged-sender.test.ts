import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rebuild } from '../../normalise/fields.ts'
import { normalise } from '../../normalise/normalise.ts'
import { readSyslog } from './read-syslog.ts'

const RECEIVED_AT = Date.UTC(2026, 5, 1)

const read = (body: string, structured = '-') => {
  const text = `<13>1 2026-05-31T10:00:00Z web1 app - - ${structured} ${body}`
  const incoming = readSyslog({ text, peer: '192.0.2.7', client: 'relay1' }, RECEIVED_AT)
  return normalise(incoming, { receivedAt: RECEIVED_AT, way: 'syslog', newId: () => 'id' })
}

const FORGED: [what: string, body: object, kept: object][] = [
  [
    'under the names themselves',
    { 'syslog.client': 'forged', 'syslog.peer': '203.0.113.9' },
    { 'event.syslog.client': 'forged', 'event.syslog.peer': '203.0.113.9' },
  ],
  ['in an object', { syslog: { peer: '203.0.113.9' } }, { 'event.syslog.peer': '203.0.113.9' }],
  [
    'in a list of objects',
    { syslog: [{ peer: '203.0.113.9' }, { peer: '203.0.113.8' }] },
    { 'event.syslog.peer': ['203.0.113.9', '203.0.113.8'] },
  ],
  [
    'under a name that is kept, too',
    { 'syslog.peer': '203.0.113.9', 'event.syslog.peer': 'own' },
    { 'event.event.syslog.peer': '203.0.113.9', 'event.syslog.peer': 'own' },
  ],
  [
    'inside another object',
    { message: JSON.stringify({ syslog: { client: 'forged' } }) },
    { 'event.syslog.client': 'forged' },
  ],
]

for (const [what, body, kept] of FORGED) {
  test(`a message that names another sender ${what} does not replace its own`, () => {
    const log = read(JSON.stringify({ message: 'x', ...body }))
    const sender = { 'syslog.peer': '192.0.2.7', 'syslog.client': 'relay1' }
    assert.partialDeepStrictEqual(log.fields, { ...sender, ...kept })
    const shown = rebuild(log) as { syslog?: Record<string, unknown> }
    const { 'syslog.peer': peer = shown.syslog?.peer } = shown as Record<string, unknown>
    assert.equal(peer, '192.0.2.7', 'as it is shown')
  })
}

test('structured data that name another sender do not replace it and are kept', () => {
  assert.partialDeepStrictEqual(read('x', '[syslog peer="203.0.113.9"]').fields, {
    'syslog.peer': '192.0.2.7',
    'event.syslog.peer': '203.0.113.9',
  })
})

test('what a message says about its own syslog stays where it is', () => {
  const { fields } = read('{"syslog":{"facility":"mail","hop":"relay9"}}')
  assert.partialDeepStrictEqual(fields, { 'syslog.facility': 'mail', 'syslog.hop': 'relay9' })
})
