import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incoming } from '../../normalise/normalise.ts'
import { nativePieces } from './native-pieces.ts'

const objectsIn = (text: string, contentType = 'application/json') =>
  [...nativePieces(contentType, Buffer.from(text))].map((piece) => (piece as Incoming).object)

const A = { a: 1, t: ']}"{' }
const B = { b: [{ c: 2 }] }
const DELIVERED: [shape: string, body: object][] = [
  ['CloudTrail', { Records: [A, B] }],
  ['Azure', { records: [A, B] }],
  ['a search of Elastic', { took: 1, hits: { total: { value: 2 }, max_score: 1, hits: [A, B] } }],
  ['a search of Splunk', { preview: false, messages: [], results: [A, B], highlighted: {} }],
  ['Microsoft Graph', { '@odata.context': 'x', value: [A, B], '@odata.nextLink': 'y' }],
  ['a hunting query of Defender', { Stats: {}, Schema: [{ Name: 'a' }], Results: [A, B] }],
  ['one without its numbers', { Schema: [{ Name: 'a' }], Results: [A, B] }],
  ['one of Graph', { '@odata.context': 'x', schema: [{ name: 'a' }], results: [A, B] }],
  ['one of Graph’s tools', { schema: [{ name: 'a' }], results: [A, B] }],
  ['a webhook of Kubernetes', { kind: 'EventList', metadata: {}, items: [A, B] }],
  ['a pull from Pub/Sub', { receivedMessages: [A, B] }],
  ['a hook of Okta', { eventType: 'com.okta.event_hook', data: { events: [A, B] } }],
]
for (const [shape, body] of DELIVERED) {
  test(`the events of ${shape} are events`, () => {
    assert.deepEqual(objectsIn(JSON.stringify(body)), [A, B])
    assert.deepEqual(objectsIn(JSON.stringify(body, null, 2), 'text/plain'), [A, B])
    const lines = `${JSON.stringify(body)}\n${JSON.stringify(A)}\n`
    assert.deepEqual(objectsIn(lines, 'application/x-ndjson'), [A, B, A])
  })
}

test('those of CloudWatch have what is said of all of them', () => {
  const about = { messageType: 'DATA_MESSAGE', logGroup: '/g', logStream: 's' }
  const events = [
    { id: '1', timestamp: 1, message: 'a' },
    { id: '2', timestamp: 2, message: 'b' },
  ]
  assert.partialDeepStrictEqual(
    objectsIn(JSON.stringify({ ...about, logEvents: events })),
    events.map((event) => ({ logGroup: '/g', logStream: 's', ...event })),
  )
})

const ONE: object[] = [
  // Each event would carry it along.
  { messageType: 'DATA_MESSAGE', logGroup: 'g'.repeat(5_000), logEvents: [A, B] },
  { Records: [A], id: 'mine' },
  { records: [1, 2] },
  { records: [] },
  { records: 'many' },
  { took: 5, hits: 7 },
  { schema: 'public', results: [A] },
  { '@odata.context': 'x', name: 'a' },
  { Stats: { runs: 1 }, Results: [A], Host: 'build1' },
  { schema: ['a'], results: [A], name: 'mine' },
  { kind: 'Event', verb: 'get' },
  { kind: 'order', user: 'alice', items: [A, B] },
  { eventType: 'purchase', data: { events: [A] }, user: 'alice' },
]
for (const event of ONE) {
  test(`one event: ${JSON.stringify(event).slice(0, 80)}`, () =>
    assert.deepEqual(objectsIn(JSON.stringify(event)), [event]))
}

test('a line that breaks off is refused alone', () => {
  const pieces = [
    ...nativePieces('application/x-ndjson', Buffer.from('{"Records":[{"a":1\n{"b":2}')),
  ]
  assert.deepEqual(
    pieces.map((piece) => 'rejected' in piece),
    [true, false],
  )
})
