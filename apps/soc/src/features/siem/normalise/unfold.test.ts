import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Incoming, normalise } from './normalise.ts'
import { reread } from './reread.ts'

const receivedAt = Date.UTC(2026, 0, 5, 12)
const read = (incoming: Incoming) =>
  normalise(incoming, { receivedAt, way: 'api', newId: () => 'made' })

const INNER = { time: '2026-01-02T03:04:05Z', level: 'error', msg: 'it broke', user: 'eve' }
const json = JSON.stringify(INNER)
const FOUND = {
  at: Date.UTC(2026, 0, 2, 3, 4, 5),
  severity: 'high',
  user: 'eve',
}

const SHAPES: [shipper: string, incoming: Incoming][] = [
  [
    'Filebeat',
    {
      object: {
        '@timestamp': '2026-01-02T03:04:05Z',
        host: { name: 'web1' },
        agent: { type: 'filebeat' },
        message: json,
      },
    },
  ],
  ['Docker', { object: { log: `${json}\n`, stream: 'stdout', hostname: 'web1' } }],
  [
    'Fluent Bit in Kubernetes',
    {
      object: {
        log: `2026-01-02T03:04:05.1Z stdout F ${json}`,
        kubernetes: { host: 'n1' },
        hostname: 'web1',
      },
    },
  ],
  ['event.original, nested', { object: { event: { original: json }, host: { name: 'web1' } } }],
  ['event.original, dotted', { object: { 'event.original': json, 'host.name': 'web1' } }],
  ['a line with a header', { text: `Jan  2 03:04:05 web1 app[7]: ${json}` }],
  [
    'a container in a shipper',
    { object: { message: JSON.stringify({ log: json }), hostname: 'web1' } },
  ],
]
for (const [shipper, incoming] of SHAPES) {
  test(`${shipper}: the names of the inner event are the event's`, () => {
    const log = read(incoming)
    assert.partialDeepStrictEqual(log, { severity: 'high', user: 'eve', host: 'web1' })
    assert.equal(log.fields.msg ?? log.message, 'it broke')
    if (shipper !== 'a line with a header') assert.equal(log.at, FOUND.at)
  })
}

test('what both say is the inner one’s, and what the shipper said is kept', () => {
  const log = read({ object: { level: 'info', message: json, tags: ['a'] } })
  assert.equal(log.fields.level, 'error')
  assert.equal(log.fields['shipper.level'], 'info')
  assert.deepEqual(log.fields.tags, ['a'])
})

const SENDER = { source: 'appX', host: 'web-1', user: 'svc' }
const TYPED = {
  ...{ 'shipper.host': 'fake1', 'shipper.source': 'fake2', 'shipper.user': 'fake3' },
  ...{ host: 'evil', source: 'sshd', user: 'bob' },
}
for (const typed of [TYPED, Object.fromEntries(Object.entries(TYPED).toReversed())]) {
  test(`${Object.keys(typed)[0]} first: a line does not say what its shipper said`, () => {
    const log = read({ object: { ...SENDER, message: JSON.stringify(typed) }, isEnvelope: true })
    assert.partialDeepStrictEqual(log, { source: 'sshd', user: 'bob', host: 'evil' })
    assert.partialDeepStrictEqual(log.fields, {
      ...{ 'shipper.host': 'web-1', 'shipper.source': 'appX', 'shipper.user': 'svc' },
      'event.shipper.host': 'fake1',
      'event.shipper.source': 'fake2',
      'event.shipper.user': 'fake3',
    })
  })
}

test('nor does a line inside the line, whichever of them writes it', () => {
  const message = JSON.stringify({ 'shipper.zone': 'fake', zone: 'mid', log: '{"zone":"in"}' })
  const { fields } = read({ object: { zone: 'dmz', message } })
  assert.deepEqual([fields.zone, fields['shipper.zone']], ['in', 'dmz'])
  assert.equal(fields['event.shipper.zone'], 'fake')
  assert.equal(fields['event.event.shipper.zone'], 'mid')
  const late = JSON.stringify({ zone: 'mid', log: '{"shipper.zone":"fake","zone":"in"}' })
  const again = read({ object: { zone: 'dmz', message: late } }).fields
  assert.deepEqual([again.zone, again['shipper.zone']], ['in', 'dmz'])
  const alone = JSON.stringify({ 'shipper.zone': 'fake', log: '{"zone":"in"}' })
  const third = read({ object: { zone: 'dmz', message: alone } }).fields
  assert.deepEqual([third['shipper.zone'], third['event.shipper.zone']], ['dmz', 'fake'])
})

test('the text stays where the inner event has a message of its own', () => {
  const text = '{"message":"inner","a":1}'
  const log = read({ object: { message: text } })
  assert.equal(log.message, 'inner')
  assert.equal(log.fields['event.original'], text)
})

test('text that is no object stays text, and an own __proto__ is none of ours', () => {
  assert.equal(read({ object: { message: '{broken' } }).message, '{broken')
  assert.equal(read({ object: { log: '{"__proto__":{"user":"x"}}' } }).user, null)
})

const FAR: [value: unknown, mark: string | undefined][] = [
  ['2099-01-02T03:04:05Z', 'future'],
  ['1971-01-02T03:04:05Z', 'past'],
  [4_102_444_800, 'future'],
  ['2026-01-02T03:04:05Z', undefined],
  ['soon', undefined],
  [0.012, undefined],
]
for (const [value, mark] of FAR) {
  test(`a time of ${value} is ${mark ?? 'not'} marked`, () => {
    for (const object of [{ timestamp: value }, { '@timestamp': value }]) {
      const { at, fields } = read({ object })
      assert.equal(fields._time, mark)
      if (mark) assert.deepEqual([at, typeof fields._time_said], [receivedAt, 'string'])
    }
  })
}

const ID_INSIDE: [what: string, incoming: Incoming, id: string][] = [
  [
    'our own shape',
    { object: { id: 'e1', message: '{"id":"order-7","n":1}' }, isEnvelope: true },
    'e1',
  ],
  [
    'our own shape without an id',
    { object: { log: '{"id":"order-7"}\n' }, isEnvelope: true },
    'made',
  ],
  [
    'two layers',
    {
      object: { id: 'e1', log: JSON.stringify({ message: '{"id":"order-7"}' }) },
      isEnvelope: true,
    },
    'e1',
  ],
  [
    'an id of the protocol',
    { object: { message: '{"id":"order-7"}' }, known: { id: 'doc1' } },
    'doc1',
  ],
  [
    'our own shape with a number',
    { object: { id: 77, message: '{"id":"order-7"}' }, isEnvelope: true },
    '77',
  ],
  ['another shape', { object: { id: 'x', message: '{"id":"order-7"}' } }, 'made'],
  ['a text', { text: '{"id":"order-7"}' }, 'made'],
]
for (const [what, incoming, id] of ID_INSIDE) {
  test(`${what}: an id inside the message is a field, not the event's`, () => {
    const log = read(incoming)
    assert.equal(log.id, id)
    assert.equal(log.fields.id, 'order-7')
    const again = reread(log, { apply: (same) => same })
    assert.deepEqual([again.id, again.fields.id], [id, 'order-7'])
  })
}

test('a message that journald gives as a list of bytes is the text of them', () => {
  const text = '\x1b[31mFailed password for root from 192.0.2.7 port 22 ssh2'
  const said = { SYSLOG_IDENTIFIER: 'sshd', MESSAGE: [...Buffer.from(text)] }
  const log = read({ object: { __REALTIME_TIMESTAMP: '1767323045000000', ...said } })
  assert.deepEqual([log.message, log.fields.MESSAGE], [text, text])
  assert.deepEqual(read({ object: said }).fields.MESSAGE, said.MESSAGE)
  const { fields } = read({ object: { __REALTIME_TIMESTAMP: '1', MESSAGE: [1, 256] } })
  assert.deepEqual(fields.MESSAGE, [1, 256])
})

const TRAIL = {
  ...{ eventVersion: '1.08', eventSource: 'iam.amazonaws.com', eventName: 'CreateUser' },
  ...{ eventTime: '2026-01-02T03:04:05Z', awsRegion: 'us-east-1', userIdentity: { type: 'Root' } },
}
const CREATED = { eventSource: 'iam.amazonaws.com', eventName: 'CreateUser' }
const AUDIT = { kind: 'Event', auditID: 'a', verb: 'create', objectRef: { resource: 'pods' } }
const INSIDE: [what: string, object: Record<string, unknown>, found: object][] = [
  ['EventBridge', { 'detail-type': 'AWS API Call via CloudTrail', detail: TRAIL }, CREATED],
  [
    'CloudTrail’s own search',
    { EventId: 'a', EventName: 'CreateUser', CloudTrailEvent: JSON.stringify(TRAIL) },
    CREATED,
  ],
  [
    'an export of Microsoft 365',
    {
      ...{ CreationDate: '2026-01-02T03:04:05Z', Operations: 'New-InboxRule' },
      AuditData: JSON.stringify({
        Operation: 'New-InboxRule',
        Workload: 'Exchange',
        UserId: 'eve',
      }),
    },
    { eventName: 'New-InboxRule', eventSource: 'Exchange' },
  ],
  [
    'Pub/Sub',
    {
      subscription: 'projects/p/subscriptions/s',
      message: {
        data: Buffer.from(
          JSON.stringify({ protoPayload: { methodName: 'SetIamPolicy', serviceName: 'x' } }),
        ).toString('base64'),
        messageId: '7',
      },
    },
    { 'protoPayload.methodName': 'SetIamPolicy', 'pubsub.messageId': '7' },
  ],
  [
    'Azure’s Kubernetes',
    { category: 'kube-audit', resourceId: '/x', properties: { log: JSON.stringify(AUDIT) } },
    { verb: 'create', 'objectRef.resource': 'pods' },
  ],
  [
    'Docker, a line with its break',
    {
      log: '192.0.2.7 - - [02/Jan/2026:03:04:05 +0000] "GET /a?b=1 HTTP/1.1" 200 12 "-" "curl"\n',
      stream: 'stdout',
    },
    { 'c-uri': '/a?b=1', 'sc-status': 200 },
  ],
]
for (const [what, object, found] of INSIDE) {
  test(`${what}: what is inside has the names that rules ask for`, () => {
    assert.partialDeepStrictEqual(read({ object }).fields, found)
  })
}

test('a message of one’s own with data that is no event stays as it is', () => {
  const message = { data: 'aGVsbG8=', messageId: '7' }
  const { fields } = read({ object: { message } })
  assert.equal(fields['message.data'], 'aGVsbG8=')
})

test('a detail of one’s own stays below its name', () => {
  const { fields } = read({ object: { 'detail-type': 'order', detail: { id: 7 } } })
  assert.equal(fields['detail.id'], 7)
})
