import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rebuild } from '../normalise/fields.ts'
import type { NormalisedLog } from '../normalise/normalise.ts'
import type { Format } from './read/part.ts'
import { checkReading, createEvents } from './read/read-events.ts'

const receivedAt = Date.UTC(2026, 10, 17)
const JSON_TYPE = { kind: 'native', contentType: 'application/json' } as const
const NDJSON = { kind: 'native', contentType: 'application/x-ndjson' } as const
const PLAIN = { kind: 'native', contentType: 'text/plain' } as const
const OTLP = { kind: 'otlp', isProto: false } as const
const ELASTIC = { kind: 'elastic', index: 'logs' } as const
const HEC = { kind: 'hec' } as const

function read(format: Format, text: string): NormalisedLog[] {
  const reading = { way: 'api', format, body: Buffer.from(text), receivedAt } as const
  checkReading(reading)
  const own = { apply: (log: NormalisedLog) => log }
  const known = { from: 0, unread: new Set<number>(), newId: () => 'new', own }
  const next = createEvents(reading, known, () => {})
  const logs: NormalisedLog[] = []
  // A part ends by the clock, too.
  for (let isLast = false; !isLast; ) {
    const part = next()
    assert.deepEqual(part.rejections, [])
    logs.push(...part.logs)
    isLast = part.isLast
  }
  return logs
}

const syslog = (text: string) =>
  read({ kind: 'syslog', messages: [{ text, peer: '192.0.2.1' }] }, '')

const record = (attributes: unknown[], more: object = {}, resource: unknown[] = []) =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: resource },
        scopeLogs: [{ logRecords: [{ body: { stringValue: 'm' }, attributes, ...more }] }],
      },
    ],
  })
const said = (key: string, stringValue: string) => ({ key, value: { stringValue } })

const LONG = '12345678901234567891'
const WAYS: [way: string, format: Format, body: string][] = [
  ['our own', JSON_TYPE, `{"events":[{"message":"m","fields":{"n":${LONG}}}]}`],
  ['NDJSON', NDJSON, `{"message":"m","n":${LONG}}\n`],
  ['a line of JSON', PLAIN, `{"message":"m","n":${LONG}}\n`],
  ['an object in a message', JSON_TYPE, `[{"message":"{\\"n\\":${LONG}}"}]`],
  ['HEC', HEC, `{"event":{"n":${LONG}}}`],
  ['HEC with a text', HEC, `{"event":"m","fields":{"n":${LONG}}}`],
  ['Elastic', ELASTIC, `{"create":{}}\n{"n":${LONG}}\n`],
  ['OTLP', OTLP, record([{ key: 'n', value: { intValue: 7 } }]).replace(':7', `:${LONG}`)],
]
for (const [way, format, body] of WAYS) {
  test(`a number beyond 2^53 keeps its digits: ${way}`, () => {
    assert.deepEqual(
      read(format, body).map(({ fields }) => fields.n),
      [LONG],
    )
  })
}

test('ids of documents that differ in their last digits are two', () => {
  const body = `{"create":{"_id":${LONG}}}\n{"a":1}\n{"create":{"_id":12345678901234567892}}\n{"a":2}\n`
  assert.deepEqual(
    read(ELASTIC, body).map(({ id }) => id),
    [LONG, '12345678901234567892'],
  )
})

test('structured data of syslog keep all values of a name', () => {
  const [log] = syslog(
    '<13>1 2026-11-16T10:00:00Z web1 app - - [origin ip="192.0.2.1" ip="192.0.2.2" ip="192.0.2.3" software="x"] m',
  )
  assert.deepEqual(log?.fields['origin.ip'], ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
  assert.equal(log?.fields['origin.software'], 'x')
})

test('HEC keeps what stands in fields and in the event under one name', () => {
  for (const event of [
    '{"user":"eve","n":1,"same":"s"}',
    '"{\\"user\\":\\"eve\\",\\"n\\":1,\\"same\\":\\"s\\"}"',
  ]) {
    const fields = '{"user":"svc","n":2,"same":"s","region":"eu"}'
    const [log] = read(HEC, `{"event":${event},"fields":${fields}}`)
    assert.equal(log?.user, 'eve')
    const { n, same, region } = log?.fields ?? {}
    assert.deepEqual([n, same, region], [1, 's', 'eu'])
    assert.equal(log?.fields['shipper.user'], 'svc')
    assert.equal(log?.fields['shipper.n'], 2)
    assert.ok(!('shipper.same' in (log?.fields ?? {})))
  }
})

test('HEC keeps what stands beside an event, whatever its type', () => {
  const about = '"host":5,"source":514,"sourcetype":7,"index":2026'
  const [log] = read(HEC, `{"event":"m",${about},"fields":["a",1]}`)
  assert.partialDeepStrictEqual(log, { host: '5', source: '514' })
  assert.deepEqual(log?.fields, { sourcetype: '7', index: '2026', fields: ['a', 1] })
})

test('OTLP keeps all values of a name: in a list, in a map, of the resource and of the record', () => {
  const nested = { kvlistValue: { values: [said('k', 'a'), said('k', 'b')] } }
  const body = record(
    [
      said('tag', 'one'),
      said('tag', 'two'),
      said('host.name', 'pod1'),
      said('constructor', 'c'),
    ].concat({ key: 'deep', value: nested } as never),
    { traceId: 'abc' },
    [said('host.name', 'node1'), said('region', 'eu')],
  )
  const [log] = read(OTLP, body)
  assert.equal(log?.host, 'pod1')
  assert.partialDeepStrictEqual(log?.fields, {
    ...{ tag: ['one', 'two'], 'deep.k': ['a', 'b'], 'host.name': 'pod1', constructor: 'c' },
    ...{ 'resource.host.name': 'node1', region: 'eu', trace_id: 'abc' },
  })
  const [twice] = read(OTLP, record([said('trace_id', 'other')], { traceId: 'abc' }))
  assert.deepEqual(twice?.fields.trace_id, ['other', 'abc'])
})

test('OTLP keeps values that its sender wrote as they are', () => {
  const plain = [{ key: 'a', value: 'x' } as never, { key: 'b', value: [1, 2] } as never]
  const [log] = read(OTLP, record([...plain, { key: 'c', value: {} }], { body: 'it broke' }))
  assert.equal(log?.message, 'it broke')
  assert.partialDeepStrictEqual(log?.fields, { a: 'x', b: [1, 2], c: null })
})

test('OTLP keeps what its resource says, whatever a record has under the name `resource`', () => {
  const real = [said('host.name', 'node1')]
  const own = said('host.name', 'pod1')
  const [named] = read(OTLP, record([own, said('resource.host.name', 'typed')], {}, real))
  assert.partialDeepStrictEqual(named?.fields, {
    ...{ 'host.name': 'pod1', 'resource.host.name': 'node1' },
    'event.resource.host.name': 'typed',
  })
  const [other] = read(OTLP, record([own, said('resource', 'typed')], {}, real))
  const body = { body: { stringValue: '{"resource":"typed"}' } }
  const [inText] = read(OTLP, record([own], body, real))
  for (const log of [other, inText]) {
    assert.partialDeepStrictEqual(rebuild(log as NormalisedLog), {
      ...{ resource: 'typed', 'resource.host.name': 'node1' },
    })
  }
})

const MARK = '\ufeff'
const MARKED: [way: string, format: Format, body: string][] = [
  ['our own', JSON_TYPE, '{"events":[{"message":"m"}]}'],
  ['NDJSON', NDJSON, '{"message":"m"}\n'],
  ['plain text', PLAIN, 'm\n'],
  ['HEC', HEC, '{"event":"m"}'],
  ['raw HEC', { kind: 'hec_raw', query: {} }, 'm\n'],
  ['Elastic', ELASTIC, '{"create":{}}\n{"message":"m"}\n'],
  ['OTLP', OTLP, record([])],
]
for (const [way, format, body] of MARKED) {
  test(`a byte order mark before the body takes nothing from it: ${way}`, () => {
    assert.deepEqual(
      read(format, MARK + body).map(({ message }) => message),
      ['m'],
    )
  })
}

test('a byte order mark before a message of syslog, or in it, takes nothing from its header', () => {
  for (const text of [
    `${MARK}<11>1 2026-11-16T10:00:00Z web1 app - - - m`,
    `<11>1 2026-11-16T10:00:00Z web1 app - - - ${MARK}m`,
    `<11>2026-11-16T10:00:00Z web1 app: ${MARK}m`,
  ]) {
    const [log] = syslog(text)
    const { at, host, process, severity, message } = log as NormalisedLog
    assert.deepEqual(
      [at, host, process, severity, message],
      [Date.UTC(2026, 10, 16, 10), 'web1', 'app', 'high', 'm'],
    )
  }
})

test('blanks before and within the beginning of a body, however many', () => {
  const blanks = ' \n'.repeat(100)
  for (const [format, body] of [
    [JSON_TYPE, `${blanks}{${blanks}"events"${blanks}:${blanks}[{"message":"m"},{"message":"m"}]}`],
    [PLAIN, `${blanks}{${blanks}"events"${blanks}:${blanks}[{"message":"m"},{"message":"m"}]}`],
    [NDJSON, `${blanks}{"message":"m"}\n{"message":"m"}`],
    [PLAIN, `${blanks}m\nm`],
  ] as const) {
    assert.deepEqual(
      read(format, body).map(({ message }) => message),
      ['m', 'm'],
    )
  }
  assert.throws(() => read(JSON_TYPE, blanks), /is empty/)
})

test('a name beside `events` is not taken for broken JSON', () => {
  assert.throws(
    () => read(JSON_TYPE, '{"events":[{"a":1}],"v":1}'),
    /events: must be the only name/,
  )
})

test('a message that is a number is the message', () => {
  const [log] = read(JSON_TYPE, '[{"message":42}]')
  assert.equal(log?.message, '42')
})

test('a text of OTLP that is an object is the event, as in a message', () => {
  const stringValue = '{"level":"error","msg":"it broke","order":7}'
  const [log] = read(OTLP, record([said('log.file.name', 'app.log')], { body: { stringValue } }))
  assert.deepEqual([log?.message, log?.severity, log?.fields.order], ['it broke', 'high', 7])
  assert.equal(log?.fields['log.file.name'], 'app.log')
  const [other] = read(OTLP, record([said('message', 'attribute')], { body: { stringValue } }))
  assert.equal(other?.message, stringValue)
})
