import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyWith, logsOf } from '../../../testing/log-sender.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

async function sender(t: Parameters<typeof startTestSoc>[0]) {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  const send = async (url: string, payload: string, authorization = `Bearer ${key}`) => {
    const headers = { 'content-type': 'application/json', authorization }
    const reply = await soc.http.inject({ method: 'POST', url, payload, headers })
    assert.equal(reply.statusCode, 200, reply.body)
  }
  return { soc, key, send }
}

const NATIVE = '/api/v1/siem/logs'

test('events with the same id inside their messages are all stored, each under its own', async (t) => {
  const { soc, key, send } = await sender(t)
  const inner = (step: string) => JSON.stringify({ id: 'order-7', step })
  const steps = ['created', 'paid', 'refunded']
  const own = steps.map((step) => ({ id: `e-${step}`, source: 'own', message: inner(step) }))
  await send(NATIVE, JSON.stringify({ events: own }))
  const docker = steps.map((step) => ({ source: 'docker', log: `${inner(step)}\n` }))
  await send(NATIVE, JSON.stringify(docker))
  const hec = steps.map((step) => JSON.stringify({ source: 'hec', event: inner(step) }))
  await send('/services/collector/event', hec.join('\n'), `Splunk ${key}`)
  for (const source of ['own', 'docker', 'hec']) {
    const logs = await logsOf(soc, `source=${source}&q=fields.id:order-7`)
    assert.deepEqual(logs.map(({ fields }) => fields.step).toSorted(), steps, source)
    assert.ok(logs.every(({ id }) => id !== 'order-7'))
  }
  const ids = (await logsOf(soc, 'source=own')).map(({ id }) => id)
  assert.deepEqual(ids.toSorted(), ['e-created', 'e-paid', 'e-refunded'])
})

test('brackets inside texts take nothing from an event, nor from those sent with it', async (t) => {
  const { soc, key, send } = await sender(t)
  const open = `evil ${'['.repeat(300)} \\" ${'{'.repeat(300)}`
  const timestamp = '2026-01-02T03:04:05.000Z'
  const event = { id: 'e1', timestamp, source: 'own', host: 'dc1', fields: { CommandLine: open } }
  await send(NATIVE, JSON.stringify({ events: [event] }))
  const time = Date.parse(timestamp) / 1_000
  const hec = { time, source: 'hec', host: 'dc1', event: { CommandLine: open } }
  await send('/services/collector/event', JSON.stringify(hec), `Splunk ${key}`)
  for (const source of ['own', 'hec']) {
    const [log] = await logsOf(soc, `source=${source}`)
    assert.partialDeepStrictEqual(log, { timestamp, host: 'dc1', fields: { CommandLine: open } })
  }
  assert.equal((await logsOf(soc, 'source=own'))[0]?.id, 'e1')

  const bodies = [open, ...Array.from({ length: 100 }, (_, n) => `${n}: cut off {"a":[{"b`)]
  const logRecords = bodies.map((stringValue) => ({ body: { stringValue } }))
  await send('/v1/logs', JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }))
  const messages = (await logsOf(soc, 'source=otlp')).map(({ message }) => message)
  assert.deepEqual(messages.toSorted(), bodies.toSorted())
})
