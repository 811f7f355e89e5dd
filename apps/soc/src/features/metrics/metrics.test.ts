import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith } from '../../testing/log-sender.ts'
import { startTestSoc } from '../../testing/test-soc.ts'

const ELSEWHERE = { remoteAddress: '192.0.2.9' }

test('GET /metrics counts what came in', async (t) => {
  const soc = await startTestSoc(t)
  const body = [{ source: 'app', message: '1' }, 5]
  await soc.call('POST', '/siem/logs', { as: await soc.signIn(), body })
  const { statusCode, headers, body: text } = await soc.http.inject('/metrics')
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/plain; version=0.0.4/)
  assert.match(text, /^soc_ingest_stored_total\{way="api"\} 1$/m)
  assert.match(text, /^soc_ingest_source_stored_total\{source="app"\} 1$/m)
  assert.match(text, /^soc_ingest_refused_total\{way="api",reason="invalid"\} 1$/m)
  assert.match(text, /^soc_ingest_queue_events 0$/m)
  assert.match(text, /^nodejs_eventloop_lag_seconds /m)
})

test('GET /metrics is for this machine, and elsewhere for keys with metrics:read', async (t) => {
  const soc = await startTestSoc(t)
  const status = async (headers: Record<string, string>, from: object = ELSEWHERE) =>
    (await soc.http.inject({ url: '/metrics', headers, ...from })).statusCode
  const [right, wrong] = [await keyWith(soc, 'metrics:read'), await keyWith(soc, 'siem:read')]
  assert.equal(await status({}), 401)
  assert.equal(await status({ 'x-api-key': wrong }), 403)
  assert.equal(await status({ 'x-api-key': right }), 200)
  assert.equal(await status({ authorization: `Bearer ${right}` }), 200)
  assert.equal(await status({}, {}), 200)
  assert.equal(await status({ 'x-forwarded-for': '192.0.2.9' }, {}), 401)
})
