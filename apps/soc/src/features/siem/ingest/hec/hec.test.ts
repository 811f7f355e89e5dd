import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { keyWith, logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc } from '../../../../testing/test-soc.ts'

async function collector(t: Parameters<typeof startTestSoc>[0]) {
  const soc = await startTestSoc(t)
  const key = await keyWith(soc, 'siem:ingest')
  const send = async (
    path: string,
    payload: string | Buffer = '',
    headers: Record<string, string> = { authorization: `Splunk ${key}` },
  ) => {
    const url = `/services/collector${path}`
    const reply = await soc.http.inject({ method: 'POST', url, payload, headers })
    return [reply.statusCode, reply.json()]
  }
  return { soc, key, send }
}

const SUCCESS = [200, { text: 'Success', code: 0 }]

test('what shippers of Splunk send and ask', async (t) => {
  const { soc, key, send } = await collector(t)

  await t.test('events one after the other, with their metadata and indexed fields', async () => {
    const events = [
      {
        time: 1767323045.123,
        source: 'app',
        index: 'main',
        event: { msg: 'object', a: { b: 1 } },
        fields: { zone: 'dmz' },
      },
      {
        time: '1767323044',
        event: 'Failed password for root from 192.0.2.7 port 22 ssh2',
        host: 'h',
      },
      { event: 42 },
      // As Splunk's own library writes what it is given as an object.
      {
        time: 1767323043,
        event: { message: { msg: 'inner', severity: 'of it' }, severity: 'warn' },
      },
      // As Docker's driver writes a line that is JSON.
      { time: 1767323042, event: { line: { msg: 'printed', level: 'error' }, source: 'stdout' } },
    ]
    assert.deepEqual(await send('', events.map((event) => JSON.stringify(event)).join('')), SUCCESS)
    const [latest, object, text, inner, printed] = await logsOf(soc, 'q=NOT source:gate')
    assert.equal(latest?.message, '42')
    assert.equal(latest?.source, 'hec')
    assert.equal(object?.timestamp, '2026-01-02T03:04:05.123Z')
    assert.partialDeepStrictEqual(object, { source: 'app', message: 'object' })
    assert.deepEqual(object?.fields, { msg: 'object', a: { b: 1 }, zone: 'dmz', index: 'main' })
    assert.equal(text?.timestamp, '2026-01-02T03:04:04.000Z')
    assert.equal(inner?.message, 'inner')
    assert.deepEqual(inner?.fields, {
      ...{ msg: 'inner', severity: 'of it', 'shipper.severity': 'warn' },
    })
    assert.partialDeepStrictEqual(printed, {
      ...{ message: 'printed', severity: 'high', source: 'stdout' },
    })
  })

  await t.test('POST /services/collector/raw is one event a line', async () => {
    assert.deepEqual(
      await send('/raw?host=fw&source=gate&sourcetype=cef', 'one\ntwo\r\n\n'),
      SUCCESS,
    )
    const logs = await logsOf(soc, 'q=source:gate')
    assert.deepEqual(logs.map(({ message }) => message).toSorted(), ['one', 'two'])
    assert.partialDeepStrictEqual(logs[0], {
      host: 'fw',
      source: 'gate',
      fields: { sourcetype: 'cef' },
    })
  })

  await t.test('keys as Splunk, Basic, Bearer and X-API-Key, and gzip', async () => {
    const body = '{"event":"x"}'
    const basic = Buffer.from(`x:${key}`).toString('base64')
    for (const authorization of [
      `Splunk ${key}`,
      `splunk ${key}`,
      `Basic ${basic}`,
      `Bearer ${key}`,
    ]) {
      assert.deepEqual(await send('/event/1.0', body, { authorization }), SUCCESS, authorization)
    }
    for (const path of ['/', '/event/', '/raw/']) {
      assert.deepEqual(await send(path, body), SUCCESS, path)
    }
    const packed = { 'x-api-key': key, 'content-encoding': 'gzip' }
    assert.deepEqual(await send('', gzipSync(body), packed), SUCCESS)
  })

  await t.test(
    'what is wrong has the code that Splunk gives it, and then nothing is stored',
    async (t) => {
      const wrong = { authorization: 'Splunk wrong' }
      assert.deepEqual(await send('', '{"event":"x"}', {}), [
        401,
        { text: 'Token is required', code: 2 },
      ])
      assert.deepEqual(await send('', '{"event":"x"}', wrong), [
        403,
        { text: 'Invalid token', code: 4 },
      ])
      assert.deepEqual(await send(''), [400, { text: 'No data', code: 5 }])
      const cases: [body: string, code: number, text: string][] = [
        ['{"event":"good"}{"time":1}', 12, 'Event field is required'],
        ['{"event":"good"}{"event":""}', 13, 'Event field cannot be blank'],
        ['{"event":"good"}{bad}', 6, 'Invalid data format'],
      ]
      for (const [body, code, text] of cases) {
        assert.deepEqual(await send('', body), [400, { text, code, 'invalid-event-number': 1 }])
      }
      assert.partialDeepStrictEqual(await send('', '{"event":"cut'), [400, { code: 6 }])
      const raw = await send('/raw', `good\n${'x'.repeat(1024 * 1024 + 1)}\ngood`)
      assert.partialDeepStrictEqual(raw, [
        400,
        { code: 6, detail: 'body: event 2 is larger than 1 MB: nothing was stored' },
      ])
      assert.equal((await logsOf(soc, 'q=good')).length, 0)

      await t.test('GET /services/collector/health', async () => {
        for (const url of ['/services/collector/health', '/services/collector/health/1.0']) {
          const headers = { authorization: `Splunk ${key}` }
          const reply = await soc.http.inject({ url, headers })
          assert.deepEqual(reply.json(), { text: 'HEC is healthy', code: 17 })
        }
      })

      await t.test('who names a channel is told that its events are on disk', async () => {
        const channel = { authorization: `Splunk ${key}`, 'x-splunk-request-channel': 'c' }
        const [, first] = await send('', '{"event":"x"}', channel)
        const [, second] = await send('/raw?channel=c', 'y')
        assert.deepEqual(first, { text: 'Success', code: 0, ackId: second.ackId - 1 })
        const acks = [first.ackId, second.ackId]
        assert.deepEqual(await send('/ack?channel=c', JSON.stringify({ acks })), [
          ...[200, { acks: Object.fromEntries(acks.map((id) => [id, true])) }],
        ])
        assert.partialDeepStrictEqual(await send('/ack?channel=c', '{"acks":"0"}'), [
          400,
          { code: 6 },
        ])
        // Vector says so of every request once it packs its events, and packs this one not.
        const said = { ...channel, 'content-encoding': 'gzip' }
        assert.deepEqual(await send('/ack', '{"acks":[7]}', said), [200, { acks: { 7: true } }])
      })

      await t.test('OPTIONS is answered without a key, as Docker asks', async () => {
        const url = '/services/collector/event/1.0'
        assert.equal((await soc.http.inject({ method: 'OPTIONS', url })).statusCode, 200)
      })
    },
  )
})
