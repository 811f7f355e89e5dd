import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { keyWith, logsOf } from '../../../../testing/log-sender.ts'
import { startTestSoc, type TestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'

async function sender(soc: TestSoc) {
  const key = await keyWith(soc, 'siem:ingest')
  return (body: string | Buffer | object, headers: Record<string, string> = {}) =>
    soc.call('POST', '/siem/logs', { headers: { 'x-api-key': key, ...headers }, body })
}

const NDJSON = { 'content-type': 'application/x-ndjson' }

test('POST /siem/logs takes events as a list, in `events`, alone, one a line, and as raw text', async (t) => {
  const soc = await startTestSoc(t)
  const send = await sender(soc)
  const taken = (count: number) => ({ accepted: count, rejected: 0, errors: [] })
  const bodies: [object | string, Record<string, string>, number][] = [
    [{ events: [{ message: 'in events' }] }, {}, 1],
    [[{ message: 'in a list' }, { message: 'in a list too' }], {}, 2],
    [{ message: 'alone' }, {}, 1],
    ['{"message":"first line"}\n\n{"message":"second line"}\r\n', NDJSON, 2],
    ['{"message":"one"} {"message":"after the other"}', { 'content-type': 'application/json' }, 2],
    [
      'a raw line\n{"message":"JSON among them"}\nJan  5 01:02:03 web7 cron[1]: another',
      { 'content-type': 'text/plain' },
      3,
    ],
    [
      'host,message,note\nweb8,"a row, with\na break",n\n',
      { 'content-type': 'text/csv; charset=utf-8' },
      1,
    ],
    ['[{"message":"a list as plain text"}]', { 'content-type': 'text/plain' }, 1],
    [
      '{"message":"as curl -d sends it"}',
      { 'content-type': 'application/x-www-form-urlencoded' },
      1,
    ],
  ]
  for (const [body, headers, count] of bodies) {
    const reply = await send(body, headers)
    assert.deepEqual([reply.status, reply.body], [200, taken(count)])
  }
  const messages = (await logsOf(soc)).map(({ message }) => message)
  assert.deepEqual(messages.toSorted(), [
    'JSON among them',
    'Jan  5 01:02:03 web7 cron[1]: another',
    'a list as plain text',
    'a raw line',
    'a row, with\na break',
    'after the other',
    'alone',
    'as curl -d sends it',
    'first line',
    'in a list',
    'in a list too',
    'in events',
    'one',
    'second line',
  ])
  assert.equal((await logsOf(soc, 'host=web7')).length, 1)
})

test('POST /siem/logs', async (t) => {
  const soc = await startTestSoc(t)
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const as = await soc.signIn()
  const send = await sender(soc)
  const stats = async () => (await soc.call('GET', '/siem/stats', { as })).body
  const stored = async (): Promise<number> =>
    (await soc.call('GET', '/siem/logs?limit=1', { as })).body.total

  await t.test(
    'keeps every field under its own name and gives them back as they came',
    async () => {
      const fields = {
        EventID: 1,
        CommandLine: 'cmd /c "x"',
        process: { name: 'cmd.exe', args: ['a', 'b'] },
        'dotted.name': 'kept',
        list: [{ a: 1 }, { a: 2 }],
        nothing: null,
        odd: 'NUL \u0000 and half a pair \ud800',
      }
      await send({
        events: [
          {
            id: 'mine',
            host: 'keeper',
            timestamp: '2026-01-02T03:04:05.678+01:00',
            message: 'm',
            fields,
          },
        ],
      })
      const [log] = await logsOf(soc, 'host=keeper')
      assert.partialDeepStrictEqual(log, {
        id: 'mine',
        timestamp: '2026-01-02T02:04:05.678Z',
        message: 'm',
      })
      assert.partialDeepStrictEqual(log?.fields, fields)
      for (const q of [
        'CommandLine:*/c*',
        'process.name:cmd.exe',
        'process.args:b',
        'dotted.name:kept',
        'list.a:2',
      ]) {
        assert.equal((await logsOf(soc, `q=${encodeURIComponent(q)}`)).length, 1, q)
      }
    },
  )

  await t.test('packed with gzip, deflate and zstd', async () => {
    const body = JSON.stringify([{ message: 'packed' }])
    for (const [encoding, packed] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['zstd', zstdCompressSync],
    ] as const) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      assert.equal((await send(packed(body), headers)).body.accepted, 1, encoding)
      assert.equal(
        (await send('no such thing', headers)).body.detail,
        `body: is not valid ${encoding}`,
      )
    }
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '))
    const refused = await send(bomb, { 'content-encoding': 'gzip', ...NDJSON })
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, /unpacks to more than 64 MB/)
    assert.equal((await send(body, { 'content-encoding': 'br' })).status, 400)
  })

  await t.test('reports what is no event and stores the rest', async () => {
    const before = await stored()
    const events = [
      { message: 'good' },
      5,
      'text',
      null,
      [],
      {},
      { id: 'x'.repeat(600) },
      { message: 'fine' },
    ]
    const { status, body } = await send({ events })
    assert.equal(status, 200)
    assert.deepEqual([body.accepted, body.rejected], [2, 6])
    assert.deepEqual(body.errors.slice(-2), [
      { index: 5, message: 'is an empty object' },
      { index: 6, field: 'id', message: 'must be 1 to 512 characters without NUL' },
    ])
    const lines = await send('{"message":"good"}\n{"message":\n"text"\n{"message":"fine"}', NDJSON)
    assert.deepEqual(
      lines.body.errors.map(({ index }: { index: number }) => index),
      [1, 2],
    )
    const large = await send([{ message: 'x'.repeat(1_100_000) }, { message: 'small' }])
    assert.deepEqual(large.body, {
      accepted: 1,
      rejected: 1,
      errors: [{ index: 0, message: 'is larger than 1 MB' }],
    })
    assert.equal((await stored()) - before, 5)
  })

  await t.test('with a body that is none is 400 and stores nothing', async () => {
    const before = await stored()
    const json = { 'content-type': 'application/json' }
    const bodies = [
      '',
      '  ',
      '[{"message":"cut"}',
      '{"events":[{"message":"cut"}',
      '{"events":5}',
      '<xml/>',
    ]
    for (const body of bodies) {
      const reply = await send(body, json)
      assert.equal(reply.status, 400, body)
      assert.deepEqual(Object.keys(reply.body), ['detail'])
    }
    assert.equal(await stored(), before)
  })

  await t.test('with an event nested beyond reason keeps it as text', async () => {
    const deep = `{"a":${'['.repeat(5_000)}"treasure"${']'.repeat(5_000)}}`
    assert.equal((await send(`[${deep}]`, { 'content-type': 'application/json' })).body.accepted, 1)
    assert.equal((await logsOf(soc, 'q=treasure')).length, 1)
  })

  await t.test(
    'while the queue is full is 429 with Retry-After; who hangs up gives room',
    async () => {
      const before = await stored()
      const post = () => soc.call('POST', '/siem/logs', { as, body: [{ message: 'm' }] })
      const claimed = async () => (await stats()).queue.bytes

      // Two of these claim the memory that is there for requests under way, and then say no more.
      const headers = { authorization: `Bearer ${as}`, 'content-length': 64 * 1024 * 1024 }
      const slow = [1, 2].map(() => {
        const sending = request(`${address}/api/v1/siem/logs`, { method: 'POST', headers })
        sending.on('error', () => {})
        sending.write('[')
        return sending
      })
      await until('both claims', async () => (await claimed()) === 128 * 1024 * 1024)
      const refused = await post()
      assert.equal(refused.status, 429)
      assert.equal(refused.headers['retry-after'], '1')
      for (const sending of slow) sending.destroy()
      await until('room again', async () => (await claimed()) === 0)
      assert.equal((await post()).status, 200)
      assert.equal((await stored()) - before, 1)
    },
  )

  await t.test('who hangs up while the key is still looked up takes no room', async () => {
    // Two of these would claim all the memory there is for requests under way.
    const keys = [await keyWith(soc, 'siem:ingest'), await keyWith(soc, 'siem:ingest')]
    await soc.holding('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE', async () => {
      const sockets: Socket[] = []
      const hear = ({ socket }: { socket: Socket }) => void sockets.push(socket)
      soc.http.server.on('request', hear)
      const sending = keys.map((key) => {
        const headers = { 'x-api-key': key, 'content-length': 64 * 1024 * 1024 }
        const one = request(`${address}/api/v1/siem/logs`, { method: 'POST', headers })
        one.on('error', () => {})
        one.write('[')
        return one
      })
      await until('both are looked up', async () => {
        const waiting = await soc.query(`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%api_keys%' AND wait_event_type = 'Lock'`)
        return waiting.length === 2
      })
      for (const one of sending) one.destroy()
      await until('both are gone', () => sockets.every(({ closed }) => closed))
      soc.http.server.off('request', hear)
    })
    assert.equal((await send([{ message: 'm' }])).status, 200)
    assert.equal((await stats()).queue.bytes, 0)
  })

  await t.test('without siem:ingest is 403, and without a key 401', async () => {
    const body = { events: [{ message: 'm' }] }
    assert.equal((await soc.call('POST', '/siem/logs', { body })).status, 401)
    const manager = await soc.signInAs('manager')
    assert.equal((await soc.call('POST', '/siem/logs', { as: manager, body })).status, 403)
  })
})

test('POST /siem/logs of who has sent a minute of events is 429; others go on', async (t) => {
  const soc = await startTestSoc(t, { ingest: { eventsPerMinute: 3 } })
  const send = await sender(soc)
  const three = ['a', 'b', 'c'].map((id) => ({ id, message: 'm' }))
  assert.equal((await send(three)).status, 200)
  const refused = await send([{ id: 'd', message: 'm' }])
  assert.equal(refused.status, 429)
  assert.match(refused.body.detail, /^too many log events: try again in \d+ s$/)
  const wait = Number(refused.headers['retry-after'])
  assert.ok(wait >= 1 && wait <= 60, `${wait}`)
  const other = await sender(soc)
  assert.equal((await other([{ id: 'e', message: 'm' }])).status, 200)
  assert.equal((await logsOf(soc)).length, 4, 'what was refused is not stored')

  await t.test('by HEC it is 503: after a 4xx its clients send nothing again', async () => {
    const headers = { authorization: `Splunk ${await keyWith(soc, 'siem:ingest')}` }
    const url = '/services/collector'
    const post = (payload: string) => soc.http.inject({ method: 'POST', url, headers, payload })
    assert.equal((await post('{"event":"m"}'.repeat(3))).statusCode, 200)
    const reply = await post('{"event":"m"}')
    assert.equal(reply.statusCode, 503)
    assert.partialDeepStrictEqual(reply.json(), { text: 'Server is busy', code: 9 })
    assert.ok(Number(reply.headers['retry-after']) >= 1)
  })
})

test('POST /siem/logs while the log store cannot be opened is 503, and later it is stored', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-test-'))
  // Before the start, which opens the store at a moment of its own.
  const inTheWay = path.join(dataDir, 'logs')
  writeFileSync(inTheWay, 'not a directory')
  const soc = await startTestSoc(t, { dataDir })
  const send = await sender(soc)
  const refused = await send([{ id: 'again', message: 'm' }])
  assert.equal(refused.status, 503)
  assert.deepEqual(Object.keys(refused.body), ['detail'])
  rmSync(inTheWay)
  assert.equal((await send([{ id: 'again', message: 'm' }])).status, 200)
  assert.equal((await logsOf(soc)).length, 1)
})

test('the same id again is accepted and stored once', async (t) => {
  const soc = await startTestSoc(t)
  const send = await sender(soc)
  const events = [
    { id: 'a', message: 'first' },
    { id: 'b', message: 'second' },
  ]
  for (let n = 0; n < 2; n += 1) assert.equal((await send({ events })).body.accepted, 2)
  assert.equal((await logsOf(soc)).length, 2)
  const { body } = await soc.call('GET', '/siem/stats', { as: await soc.signIn() })
  assert.deepEqual(body.totals, { received: 4, stored: 2, duplicates: 2, refused: 0 })
  assert.equal(body.events, 2)
})

test('POST /siem/logs in dummy mode is 409, in dry_run it is taken', async (t) => {
  const body = { events: [{ message: 'm' }] }
  for (const [mode, status] of [
    ['dummy', 409],
    ['dry_run', 200],
  ] as const) {
    const soc = await startTestSoc(t, { mode })
    const as = await soc.signIn()
    assert.equal((await soc.call('POST', '/siem/logs', { as, body })).status, status)
  }
})

test('ingest has a budget in events, and takes nothing from the one in requests', async (t) => {
  const soc = await startTestSoc(t, {
    rates: { general: 5, investigate: 5, execute: 5 },
    ingest: {
      eventsPerMinute: 20,
      syslogUdp: undefined,
      syslogTcp: undefined,
      mostSyslogBytes: 1_000,
    },
  })
  const as = await soc.signIn()
  const post = () =>
    soc.call('POST', '/siem/logs', { as, body: [{ message: '1' }, { message: '2' }] })
  for (let n = 0; n < 10; n += 1) assert.equal((await post()).status, 200)
  const refused = await post()
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  const { body } = await soc.call('GET', '/siem/stats', { as })
  assert.deepEqual(body.ways[0].refused_by_reason, { rate_limit: 1 })
})

test('strangers who try keys on ingest have the general budget', async (t) => {
  const soc = await startTestSoc(t, { rates: { general: 3, investigate: 5, execute: 5 } })
  const statuses = []
  for (let n = 0; n < 4; n += 1) {
    const headers = { authorization: 'Splunk wrong' }
    statuses.push(
      (await soc.http.inject({ method: 'POST', url: '/services/collector', headers })).statusCode,
    )
  }
  assert.deepEqual(statuses, [403, 403, 403, 429])
})

test('GET /siem/stats tells what came by which way and from which source', async (t) => {
  const soc = await startTestSoc(t)
  const send = await sender(soc)
  await send([
    { source: 'app', timestamp: '2026-01-02T03:04:05Z', message: '1' },
    { source: 'app', timestamp: '2026-01-01T03:04:05Z', message: '2' },
    { source: 'web', message: '3' },
    7,
  ])
  const { body } = await soc.call('GET', '/siem/stats', { as: await soc.signIn() })
  assert.equal(body.engine, 'duckdb')
  assert.deepEqual(body.ways, [
    {
      way: 'api',
      received: 3,
      stored: 3,
      duplicates: 0,
      refused: 1,
      unread: 0,
      refused_by_reason: { invalid: 1 },
    },
  ])
  assert.partialDeepStrictEqual(body.senders, [
    { way: 'api', events: 3, unread: 0, refused: 1, slowed_until: null },
  ])
  const [app, web] = body.sources
  assert.deepEqual([app.source, app.stored, web.source, web.stored], ['app', 2, 'web', 1])
  assert.equal(app.last_event_at, '2026-01-02T03:04:05.000Z')
  assert.equal(app.per_minute.length, 60)
  assert.equal(app.per_minute.at(-1) + app.per_minute.at(-2), 2)
  assert.deepEqual([body.queue.events, body.queue.bytes], [0, 0])
})
