import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rebuild } from './fields.ts'
import { type Incoming, normalise } from './normalise.ts'

const receivedAt = Date.UTC(2026, 0, 5, 12)
const log = (incoming: Incoming, way = 'api') =>
  normalise(incoming, { receivedAt, way, newId: () => 'made' })
const event = (object: Record<string, unknown>) => log({ object, isEnvelope: true })

test('our own shape: columns from their names, the rest as fields', () => {
  const object = {
    id: 'e1',
    timestamp: '2026-01-02T03:04:05.678Z',
    source: 'app',
    host: 'web1',
    severity: 'high',
    message: 'hello',
    user: 'ann',
    process: 'nginx',
    event_code: 4624,
    src_ip: '10.0.0.1',
    dst_ip: '10.0.0.2',
    fields: { a: { b: 1 } },
    extra: true,
  }
  assert.deepEqual(event(object), {
    id: 'e1',
    at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    source: 'app',
    host: 'web1',
    severity: 'high',
    message: 'hello',
    user: 'ann',
    process: 'nginx',
    event_code: '4624',
    src_ip: '10.0.0.1',
    dst_ip: '10.0.0.2',
    fields: { extra: true, 'a.b': 1 },
    received_at: receivedAt,
    original: null,
  })
})

test('nothing but a message', () => {
  assert.deepEqual(event({ message: 'hello' }), {
    id: 'made',
    at: receivedAt,
    source: 'api',
    host: null,
    severity: 'info',
    message: 'hello',
    user: null,
    process: null,
    event_code: null,
    src_ip: null,
    dst_ip: null,
    fields: {},
    received_at: receivedAt,
    original: null,
  })
})

const COLUMNS: [what: string, object: Record<string, unknown>, found: object][] = [
  [
    'ECS',
    {
      '@timestamp': '2026-01-02T03:04:05Z',
      host: { name: 'web1' },
      log: { level: 'error' },
      user: { name: 'ann' },
      process: { name: 'bash', executable: '/bin/bash' },
      event: { code: '7', dataset: 'system.auth' },
      source: { ip: '10.0.0.1' },
      destination: { ip: '10.0.0.2' },
    },
    {
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
      host: 'web1',
      severity: 'high',
      user: 'ann',
      process: 'bash',
      event_code: '7',
      source: 'system.auth',
      src_ip: '10.0.0.1',
      dst_ip: '10.0.0.2',
    },
  ],
  [
    'journald',
    {
      __REALTIME_TIMESTAMP: '1767323045000000',
      _HOSTNAME: 'box',
      PRIORITY: '3',
      MESSAGE: 'it broke',
      SYSLOG_IDENTIFIER: 'kernel',
    },
    {
      at: 1_767_323_045_000,
      host: 'box',
      severity: 'high',
      message: 'it broke',
      process: 'kernel',
    },
  ],
  [
    'CloudTrail',
    {
      eventTime: '2026-01-02T03:04:05Z',
      eventName: 'ConsoleLogin',
      sourceIPAddress: '203.0.113.7',
      userIdentity: { userName: 'root' },
    },
    { event_code: 'ConsoleLogin', src_ip: '203.0.113.7', user: 'root', message: 'ConsoleLogin' },
  ],
  [
    'GELF',
    { short_message: 'x', level: 4, timestamp: 1767323045.5 },
    { message: 'x', severity: 'medium', at: 1_767_323_045_500 },
  ],
  [
    'a path as process',
    { process: 'C:\\Windows\\x.exe' },
    { process: 'x.exe', fields: { process: 'C:\\Windows\\x.exe' } },
  ],
  [
    'a severity of its own words',
    { severity: 'ERR' },
    { severity: 'high', fields: { severity: 'ERR' } },
  ],
  [
    'a severity that says nothing',
    { severity: 'banana' },
    { severity: 'info', fields: { severity: 'banana' } },
  ],
  [
    'a time that says nothing',
    { timestamp: 'soon' },
    { at: receivedAt, fields: { timestamp: 'soon' } },
  ],
  [
    'a time finer than ours',
    { timestamp: '2026-01-02T03:04:05.123456Z' },
    {
      at: Date.UTC(2026, 0, 2, 3, 4, 5, 123),
      fields: { timestamp: '2026-01-02T03:04:05.123456Z' },
    },
  ],
  [
    'an address with a port',
    { src_ip: '[2001:DB8::1]:443' },
    { src_ip: '2001:db8::1', fields: { src_ip: '[2001:DB8::1]:443' } },
  ],
  ['no address', { src_ip: 'localhost' }, { src_ip: null, fields: { src_ip: 'localhost' } }],
  [
    'nulls',
    { host: null, message: null, other: null },
    { host: null, message: '', fields: { other: null } },
  ],
  ['a number as id', { id: 7 }, { id: '7', fields: {} }],
  ['an object as message', { message: { a: 1 } }, { message: '', fields: { 'message.a': 1 } }],
  [
    'a line of sshd in the message',
    { process: 'sshd', message: 'Failed password for root from 192.0.2.1 port 1 ssh2' },
    { user: 'root', src_ip: '192.0.2.1', source: 'auth' },
  ],
  [
    'a line of sshd that says so as its source',
    { source: 'sshd', message: 'Failed password for root from 192.0.2.1 port 1 ssh2' },
    { user: 'root', src_ip: '192.0.2.1', source: 'sshd', process: null },
  ],
]

for (const [what, object, found] of COLUMNS) {
  test(`${what}: ${JSON.stringify(object).slice(0, 60)}`, () => {
    const stored = event(object)
    const { fields, ...columns } = found as { fields?: object }
    assert.partialDeepStrictEqual(stored, columns)
    if (fields) assert.deepEqual(stored.fields, fields)
  })
}

test('the host of a request that Zeek saw is not the machine it comes from', () => {
  const stored = event({ ts: 1767323045, uid: 'C1', host: 'evil.example', source: 'HTTP' })
  assert.partialDeepStrictEqual(stored, { host: null, source: 'zeek' })
  assert.partialDeepStrictEqual(stored.fields, { host: 'evil.example', source: 'HTTP' })
})

test('a long line is kept and read no further than its header', () => {
  const stored = log({
    text: `Jan  5 01:02:03 web1 sudo: ${'TTY=a ; PWD=b ; USER=c ; '.repeat(40_000)}`,
  })
  assert.partialDeepStrictEqual(stored, { host: 'web1', process: 'sudo' })
  assert.ok(stored.message.length > 900_000)
})

test('a name in `fields` and beside it keeps both values', () => {
  const object = { message: 'm', a: 1, fields: { a: 2 } }
  assert.deepEqual(event(object).fields, { 'shipper.a': 2, a: 1 })
})

test('a line of a log file is kept whole and read', () => {
  const line = 'Jan  5 01:02:03 web1 sshd[9]: Accepted password for ann from 192.0.2.1 port 1 ssh2'
  assert.partialDeepStrictEqual(log({ text: line }), {
    message: line,
    host: 'web1',
    process: 'sshd',
    user: 'ann',
    source: 'auth',
    at: new Date(2026, 0, 5, 1, 2, 3).getTime(),
  })
})

test('a line that is JSON is an object', () => {
  const stored = log({ text: '@cee: {"msg":"hi","a":{"b":1}}' }, 'syslog')
  assert.partialDeepStrictEqual(stored, { message: 'hi', fields: { 'a.b': 1 }, source: 'syslog' })
})

test('what no parser knows is its text', () => {
  const stored = log({ text: '{"broken": \ud800\0' })
  assert.equal(stored.message, '{"broken": \ufffd\ufffd')
})

test('what the protocol says goes before what the event says', () => {
  const object = { host: 'inner', time: '2026-01-01T00:00:00Z', index: 'mine' }
  const stored = log({
    object,
    known: { host: 'outer', at: 1 },
    extra: { index: 'theirs', more: 1 },
  })
  assert.partialDeepStrictEqual(stored, { host: 'outer', at: 1 })
  assert.deepEqual(stored.fields, {
    host: 'inner',
    time: '2026-01-01T00:00:00Z',
    index: 'mine',
    more: 1,
  })
})

test('any object is stored, and its fields come back as they were sent', () => {
  const values = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(values, (value) => {
      const object = JSON.parse(JSON.stringify({ ...value, message: 'm' }))
      const stored = log({ object })
      assert.equal(stored.message, 'm')
      const { message, ...sent } = object
      assert.partialDeepStrictEqual(rebuild(stored), sent)
    }),
    { numRuns: 300 },
  )
})

test('__proto__ as a name changes nothing and comes back', () => {
  const stored = log({ object: JSON.parse('{"message":"m","__proto__":{"a":1}}') })
  assert.equal(JSON.stringify(rebuild(stored)), '{"__proto__":{"a":1}}')
})

test('any text is stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const stored = log({ text })
      assert.ok(stored.message.isWellFormed() && !stored.message.includes('\0'))
    }),
    { numRuns: 500 },
  )
})
