import assert from 'node:assert/strict'
import { test } from 'node:test'
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
    })
    const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] })
    provider.getLogger('shop.cart').emit({
      timestamp: AT,
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
      otel: { scope: { name: 'shop.cart' } },
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
  })
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
  for (const body of [Buffer.from([0x0a, 0x7f]), Buffer.alloc(50, 0xff)]) {
    const reply = await send('application/x-protobuf', body)
    assert.equal(reply.statusCode, 400)
    assert.deepEqual([...reply.rawPayload.subarray(0, 3)], [0x08, 3, 0x12])
  }
  assert.equal((await send('application/json', '{}', {})).statusCode, 401)
  assert.equal((await send('application/x-protobuf', '')).statusCode, 200)
})
