import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'

const EVENTS = [
  {
    id: 'ssh-1',
    timestamp: '2026-03-01T10:00:00.000Z',
    source: 'sshd',
    host: 'web-01',
    severity: 'high',
    message: 'Failed password for root',
    user: 'root',
    src_ip: '203.0.113.9',
    fields: { attempt: { count: 3 }, 'odd name': 'x' },
  },
  {
    id: 'ssh-2',
    timestamp: '2026-03-01T10:30:00.000Z',
    source: 'sshd',
    host: 'web-02',
    severity: 'low',
    message: 'Accepted publickey for deploy',
    user: 'deploy',
    fields: { attempt: { count: 1 } },
  },
  {
    id: 'dns/1',
    timestamp: '2026-03-01T12:15:00.000Z',
    source: 'dns',
    host: 'resolver',
    severity: 'info',
    message: 'query école.example',
    fields: { answers: ['192.0.2.1', '192.0.2.2'] },
  },
]

test('reading logs', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const sent = await soc.call('POST', '/siem/logs', { as, body: { events: EVENTS } })
  assert.equal(sent.body.accepted, 3)
  const get = (path: string) => soc.call('GET', path, { as })
  const find = (query: Record<string, string>) => get(`/siem/logs?${new URLSearchParams(query)}`)
  const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)

  await t.test('GET /siem/logs lists the newest first with an exact total', async () => {
    const { status, body } = await find({})
    assert.equal(status, 200)
    assert.deepEqual(idsOf(body), ['dns/1', 'ssh-2', 'ssh-1'])
    const { total, is_total_exact, partial, has_more, next_cursor } = body
    assert.deepEqual(
      { total, is_total_exact, partial, has_more, next_cursor },
      { total: 3, is_total_exact: true, partial: null, has_more: false, next_cursor: null },
    )
  })

  await t.test('GET /siem/count counts what the same filters list', async () => {
    const counted = async (q: string) =>
      (await get(`/siem/count?${new URLSearchParams({ q })}`)).body
    assert.deepEqual(await counted('*'), { total: 3, is_total_exact: true, partial: null })
    assert.deepEqual(await counted('host:web-*'), { total: 2, is_total_exact: true, partial: null })
    const { status } = await get('/siem/count?q=%28')
    assert.equal(status, 400)
  })

  await t.test('GET /siem/logs tells an event as it came', async () => {
    const { body } = await find({ q: 'attempt.count:3' })
    assert.deepEqual(body.items, [
      {
        ...EVENTS[0],
        timestamp: '2026-03-01T10:00:00.000Z',
        collector: null,
        process: null,
        event_code: null,
        dst_ip: null,
      },
    ])
  })

  const FILTERS: [query: Record<string, string>, ids: string[]][] = [
    [{ q: '"failed password" AND host:web-*' }, ['ssh-1']],
    [{ q: 'ÉCOLE' }, ['dns/1']],
    [{ q: '"odd name":x' }, ['ssh-1']],
    [{ q: 'answers:192.0.2.0/24' }, ['dns/1']],
    [{ q: 'attempt.count:>=2' }, ['ssh-1']],
    [{ q: 'timestamp:[2026-03-01T10:15 TO 2026-03-01T11:00]' }, ['ssh-2']],
    [{ source: 'SSHD' }, ['ssh-2', 'ssh-1']],
    [{ source: 'ssh*' }, []],
    [{ host: 'web-01', q: 'NOT accepted' }, ['ssh-1']],
    [{ severity: 'Info' }, ['dns/1']],
    [{ severity: 'low,HIGH' }, ['ssh-2', 'ssh-1']],
    [{ from: '2026-03-01T10:30:00Z' }, ['dns/1', 'ssh-2']],
    [{ to: '2026-03-01T10:30:00Z' }, ['ssh-1']],
    [{ order: 'asc' }, ['ssh-1', 'ssh-2', 'dns/1']],
    [{ skip: '1', limit: '1' }, ['ssh-2']],
  ]
  for (const [query, ids] of FILTERS) {
    await t.test(
      `GET /siem/logs with ${JSON.stringify(query)} finds ${ids.join(', ') || 'nothing'}`,
      async () => {
        assert.deepEqual(idsOf((await find(query)).body), ids)
      },
    )
  }

  await t.test('GET /siem/logs pages by cursor while events come in', async () => {
    const first = await find({ limit: '2' })
    assert.deepEqual(idsOf(first.body), ['dns/1', 'ssh-2'])
    assert.equal(first.body.total, 3)
    const second = await find({ limit: '2', cursor: first.body.next_cursor })
    assert.deepEqual(idsOf(second.body), ['ssh-1'])
    assert.equal(second.body.next_cursor, null)
  })

  const REFUSED: [query: Record<string, string>, detail: RegExp][] = [
    [{ q: 'host:web AND' }, /^q: a term is missing at column 13; /],
    [{ q: 'x:/(/' }, /^q: .* at column 3; /],
    [{ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }, /^from: must not be after to/],
    [{ from: 'yesterday' }, /^from: /],
    [{ cursor: 'nonsense' }, /^cursor: /],
    [{ limit: '201' }, /^limit: /],
    [{ severity: 'bogus' }, /^severity: .*"critical".*"info"/],
    [{ severity: '' }, /^severity: /],
    [{ sort: 'host' }, /sort/],
  ]
  for (const [query, detail] of REFUSED) {
    await t.test(`GET /siem/logs with ${JSON.stringify(query)} is 400`, async () => {
      const { status, body } = await find(query)
      assert.equal(status, 400)
      assert.match(body.detail, detail)
    })
  }

  await t.test('GET /siem/logs with a cursor of the other order is 400', async () => {
    const { next_cursor } = (await find({ limit: '1' })).body
    const { status, body } = await find({ limit: '1', order: 'asc', cursor: next_cursor })
    assert.equal(status, 400)
    assert.match(body.detail, /^cursor: /)
  })

  await t.test('GET /siem/logs/{id} answers one event, 404 for another id', async () => {
    const { status, body } = await get(`/siem/logs/${encodeURIComponent('dns/1')}`)
    assert.equal(status, 200)
    assert.equal(body.message, 'query école.example')
    assert.equal((await get('/siem/logs/unknown')).status, 404)
    assert.equal((await get(`/siem/logs/${'x'.repeat(512)}`)).status, 404)
  })

  await t.test('GET /siem/histogram counts by time, with the empty buckets', async () => {
    const range = 'from=2026-03-01T10:00:00Z&to=2026-03-01T13:00:00Z'
    const { body } = await get(`/siem/histogram?${range}&bucket_s=3600&by=source`)
    assert.deepEqual(
      body.buckets.map(({ count, counts }: { count: number; counts: object }) => [count, counts]),
      [
        [2, { sshd: 2 }],
        [0, {}],
        [1, { dns: 1 }],
      ],
    )
    assert.equal(body.partial, null)
  })

  await t.test('GET /siem/histogram chooses buckets, and refuses too many', async () => {
    const range = 'from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z'
    const { body } = await get(`/siem/histogram?${range}&q=sshd`)
    assert.equal(body.bucket_s, 1800)
    assert.equal(body.buckets.length, 48)
    const refused = await get(`/siem/histogram?${range}&bucket_s=1`)
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, /^bucket_s: /)
  })

  await t.test('GET /siem/fields lists names and types', async () => {
    const { body } = await get('/siem/fields?q=source:sshd')
    const byName = new Map(body.items.map((item: { name: string }) => [item.name, item]))
    assert.deepEqual(byName.get('attempt.count'), {
      name: 'attempt.count',
      types: ['number'],
      count: 2,
      distinct: 2,
    })
    assert.ok(byName.has('host') && byName.has('odd name') && !byName.has('answers'))
  })

  await t.test('GET /siem/fields/{name}/values lists the most frequent values', async () => {
    assert.deepEqual((await get('/siem/fields/source/values')).body.items, [
      { value: 'sshd', count: 2 },
      { value: 'dns', count: 1 },
    ])
    const odd = await get(`/siem/fields/${encodeURIComponent('odd name')}/values?limit=1`)
    assert.deepEqual(odd.body.items, [{ value: 'x', count: 1 }])
  })

  await t.test('GET /siem/export streams every match, oldest first', async () => {
    const { headers, body } = await get('/siem/export?q=sshd')
    assert.match(String(headers['content-type']), /^application\/x-ndjson/)
    const lines = (body as string).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      ['ssh-1', 'ssh-2'],
    )
    assert.equal((await get('/siem/export?q=%22nothing%20like%20this%22')).body, '')
    assert.equal((await get('/siem/export?q=(')).status, 400)
  })

  await t.test('GET /siem/sources lists who sends, and how much', async () => {
    const { body } = await get('/siem/sources')
    assert.equal(body.total, 2)
    const [dns, sshd] = body.items
    assert.deepEqual([dns.source, dns.events, sshd.source, sshd.events], ['dns', 1, 'sshd', 2])
    assert.equal(sshd.first_event_at, '2026-03-01T10:00:00.000Z')
    assert.ok(sshd.last_received_at && sshd.events_per_minute > 0)
  })

  await t.test('GET /siem/logs/{id} has all that the list has, `__proto__` too', async () => {
    const fields = '{"__proto__":{"a":1},"b":2}'
    const event = JSON.parse(`{"id":"proto","source":"odd","message":"m","fields":${fields}}`)
    await soc.call('POST', '/siem/logs', { as, body: event })
    const [listed] = (await find({ source: 'odd' })).body.items
    assert.equal(JSON.stringify(listed.fields), fields)
    assert.equal(JSON.stringify((await get('/siem/logs/proto')).body), JSON.stringify(listed))
  })
})
