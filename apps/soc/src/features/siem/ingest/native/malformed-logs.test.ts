import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keyWith, logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'

const ROUTES = [
  '/api/v1/siem/logs',
  '/services/collector',
  '/services/collector/raw',
  '/_bulk',
  '/index/_bulk',
  '/v1/logs',
]
const TYPES = [
  'application/json',
  'application/x-ndjson',
  'text/plain',
  'application/x-protobuf',
  '',
]

const names = fc.constantFrom(
  'events',
  'event',
  'index',
  'time',
  'fields',
  'resourceLogs',
  'scopeLogs',
  'logRecords',
  'attributes',
  'body',
  'key',
  'value',
  'kvlistValue',
  'values',
  'message',
  'timestamp',
  'host',
  'Event',
  'System',
  'EventData',
  'Data',
  'alert',
  '__proto__',
  'constructor',
)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      1e308,
      '',
      'text',
      '\ud800',
      '\0',
      1767323045,
      '<13>x',
      'CEF:0|',
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(names, tie('json'), { maxKeys: 5 }),
  ),
}))

const bodies = fc.oneof(
  json.map((value) => Buffer.from(JSON.stringify(value))),
  fc
    .array(json, { maxLength: 5 })
    .map((list) => Buffer.from(list.map((one) => JSON.stringify(one)).join('\n'))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)

test('whatever is sent as logs is no bug, and what is accepted can be read', async (t) => {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROUTES),
      fc.constantFrom(...TYPES),
      bodies,
      async (url, type, payload) => {
        const headers = { authorization: `Splunk ${key}`, ...(type && { 'content-type': type }) }
        const { statusCode } = await soc.http.inject({ method: 'POST', url, headers, payload })
        assert.ok([200, 400].includes(statusCode), `${statusCode}`)
      },
    ),
    { numRuns: 250 },
  )
  assert.ok((await logsOf(soc)).length > 0)
})
