import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtoExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { keyWith, logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'

const AT = Date.UTC(2026, 0, 2, 3, 4, 5)

for (const [form, Exporter] of [
  ['JSON', JsonExporter],
  ['protobuf', ProtoExporter],
] as const) {
  test(`POST /v1/logs from OpenTelemetry's exporter in ${form}`, async (t) => {
    const soc = await startTestSoc(t)
    const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
    const key = await keyWith(soc, 'siem:ingest')
    const exporter = new Exporter({
      url: `${address}/v1/logs`,
      headers: { authorization: `Bearer ${key}` },
      // It throws away what is not taken in its time, and says nothing.
      timeoutMillis: 280_000,
    })
    const batches = new BatchLogRecordProcessor({ exporter, exportTimeoutMillis: 280_000 })
    const provider = new LoggerProvider({ processors: [batches] })
    const schemaUrl = 'https://opentelemetry.io/schemas/1.30.0'
    provider.getLogger('shop.cart', '1.2.0', { schemaUrl, attributes: { tier: 1 } }).emit({
      timestamp: AT,
      observedTimestamp: AT + 90_000,
      severityNumber: 17,
      severityText: 'ERROR',
      body: 'payment failed',
      eventName: 'payment',
      attributes: {
        'host.name': 'web1',
        'user.name': 'ann',
        'http.response.status_code': 502,
        ratio: 0.5,
        isRetry: false,
        items: ['a', 'b'],
        nested: { deep: { er: -7 } },
      },
    })
    provider.getLogger('shop.cart').emit({ timestamp: AT - 1, body: { kind: 'object', n: 1 } })
    await provider.shutdown()

    const [failed, object] = await logsOf(soc)
    assert.partialDeepStrictEqual(failed, {
      timestamp: new Date(AT).toISOString(),
      severity: 'high',
      message: 'payment failed',
      host: 'web1',
      user: 'ann',
      event_code: 'payment',
    })
    assert.match(failed?.source ?? '', /^unknown_service/)
    assert.partialDeepStrictEqual(failed?.fields, {
      http: { response: { status_code: 502 } },
      ratio: 0.5,
      isRetry: false,
      items: ['a', 'b'],
      nested: { deep: { er: -7 } },
      severity_text: 'ERROR',
      severity_number: 17,
      otel: {
        scope: {
          name: 'shop.cart',
          version: '1.2.0',
          schema_url: schemaUrl,
          attributes: { tier: 1 },
        },
      },
      observed_timestamp: new Date(AT + 90_000).toISOString(),
    })
    assert.deepEqual(object?.fields.body, { kind: 'object', n: 1 })
  })
}

test('POST /v1/logs in JSON: 64-bit numbers, bytes, lists of maps, and gzip', async (t) => {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  const value = (stringValue: string) => ({ stringValue })
  const attributes = [
    { key: 'safe', value: { intValue: '42' } },
    { key: 'large', value: { intValue: '9223372036854775807' } },
    { key: 'bytes', value: { bytesValue: 'AAEC' } },
    {
      key: 'maps',
      value: {
        arrayValue: { values: [{ kvlistValue: { values: [{ key: 'a', value: value('b') }] } }] },
      },
    },
    { key: 'empty' },
  ]
  const record = {
    observedTimeUnixNano: `${AT}000000`,
    body: value('hi'),
    attributes,
    traceId: 'ab',
    spanId: 'cd',
    flags: 1,
    droppedAttributesCount: 3,
  }
  const resource = { attributes: [{ key: 'service.name', value: value('shop') }] }
  const body = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] }
  const reply = await soc.http.inject({
    method: 'POST',
    url: '/v1/logs',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync(JSON.stringify(body)),
  })
  assert.deepEqual([reply.statusCode, reply.json()], [200, { partialSuccess: {} }])
  const [log] = await logsOf(soc)
  assert.partialDeepStrictEqual(log, { source: 'shop', timestamp: new Date(AT).toISOString() })
  assert.partialDeepStrictEqual(log?.fields, {
    safe: 42,
    large: '9223372036854775807',
    bytes: 'AAEC',
    maps: [{ a: 'b' }],
    trace_id: 'ab',
    span_id: 'cd',
    trace_flags: 1,
    'otel.dropped_attributes_count': 3,
  })
  assert.equal(log?.fields.observed_timestamp, undefined, 'it is the time')
})

/** A field of a protobuf message that holds bytes. */
function field(number: number, bytes: Buffer): Buffer {
  const size: number[] = []
  let left = bytes.length
  for (; left > 127; left = Math.floor(left / 128)) size.push((left % 128) + 128)
  return Buffer.concat([Buffer.from([number * 8 + 2, ...size, left]), bytes])
}

const requestOf = (...records: Buffer[]) =>
  field(1, field(2, Buffer.concat(records.map((record) => field(2, record)))))

test('POST /v1/logs takes what it can, and says what it left out', async (t) => {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  const send = (type: string, payload: string | Buffer) =>
    soc.http.inject({
      ...{ method: 'POST', url: '/v1/logs', payload },
      headers: { 'content-type': type, 'x-api-key': key },
    })
  const textOf = (text: string) => field(5, field(1, Buffer.from(text)))
  const reply = await send(
    'application/x-protobuf',
    requestOf(
      textOf('small'),
      textOf('x'.repeat(1024 * 1024)),
      // Two attributes were dropped; the flags of its trace.
      Buffer.concat([textOf('other'), Buffer.from([0x38, 2, 0x45, 1, 0, 0, 0])]),
    ),
  )
  const why = 'record 1 is larger than 1 MB'
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(
    reply.rawPayload,
    field(1, Buffer.concat([Buffer.from([0x08, 1]), field(2, Buffer.from(why))])),
  )
  const logRecords = [
    { attributes: [null, 5, { key: 'a', value: { arrayValue: { values: 5 } } }], eventName: 7 },
    { attributes: Array.from({ length: 3 }, (_, n) => ({ key: 'n', value: { intValue: n } })) },
  ]
  const body = { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }
  assert.equal((await send('application/json', JSON.stringify(body))).statusCode, 200)
  const logs = await logsOf(soc)
  assert.deepEqual(logs.map(({ message }) => message).toSorted(), ['', '', 'other', 'small'])
  assert.ok(logs.some(({ fields }) => isDeepStrictEqual(fields.n, [0, 1, 2])))
  const other = logs.find(({ message }) => message === 'other')
  assert.deepEqual(other?.fields, { trace_flags: 1, otel: { dropped_attributes_count: 2 } })
})

test('POST /v1/logs that is none is 400 in the form it was sent in', async (t) => {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  const send = (type: string, payload: string | Buffer, headers: object = { 'x-api-key': key }) =>
    soc.http.inject({
      method: 'POST',
      url: '/v1/logs',
      headers: { 'content-type': type, ...headers },
      payload,
    })
  for (const body of ['{', '{"resourceLogs":5}', `{"a":${'['.repeat(9_999)}`]) {
    const reply = await send('application/json', body)
    assert.deepEqual([reply.statusCode, reply.json().code], [400, 3], body.slice(0, 20))
  }
  const manyOf = (count: number) => Buffer.alloc(2 * count, Buffer.from([0x0a, 0x00]))
  const wrong = [
    ...[Buffer.from([0x0a, 0x7f]), Buffer.alloc(50, 0xff)],
    // A double in one byte.
    requestOf(field(5, Buffer.from([0x20, 0x01]))),
    // More attributes of a resource than an event may have, and so many that no call takes them.
    ...[1_001, 200_000].map((count) => field(1, field(1, manyOf(count)))),
  ]
  for (const body of wrong) {
    const reply = await send('application/x-protobuf', body)
    assert.equal(reply.statusCode, 400)
    assert.deepEqual([...reply.rawPayload.subarray(0, 3)], [0x08, 3, 0x12])
  }
  const long = 'x'.repeat(65_536)
  const said = { attributes: [{ key: 'a', value: { stringValue: long } }] }
  const logRecords = Array.from({ length: 9_000 }, () => ({}))
  for (const much of [
    { resource: said, scopeLogs: [{ logRecords }] },
    { schemaUrl: long, scopeLogs: [{ logRecords }] },
    { scopeLogs: [{ scope: { name: long }, logRecords }] },
  ]) {
    const refused = await send('application/json', JSON.stringify({ resourceLogs: [much] }))
    assert.match(refused.json().message, /^resource: says too much for so many records/)
  }
  const schema = field(3, Buffer.from(long))
  const records = Buffer.concat(logRecords.map(() => field(2, Buffer.alloc(0))))
  const packed = field(1, Buffer.concat([field(2, records), schema]))
  assert.equal((await send('application/x-protobuf', packed)).statusCode, 400)
  assert.deepEqual(await logsOf(soc), [])
  assert.equal((await send('application/json', '{}', {})).statusCode, 401)
  assert.equal((await send('application/x-protobuf', '')).statusCode, 200)
})
