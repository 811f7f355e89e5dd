import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint, EndpointAction } from '@manara/soc-contract/edr'
import { readEvents } from '../../testing/event-reader.ts'
import { startReferenceEdr } from '../../testing/reference-edr.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

/** The endpoints by name, once the inventory is there. */
async function inventory(soc: TestSoc, as: string, count = 4): Promise<Record<string, Endpoint>> {
  let items: Endpoint[] = []
  await until('the inventory', async () => {
    items = (await soc.call('GET', '/edr/endpoints', { as })).body.items
    return items.length === count
  })
  return Object.fromEntries(items.map((endpoint) => [endpoint.hostname, endpoint]))
}

async function completed(soc: TestSoc, as: string, { action_id }: EndpointAction) {
  let receipt: EndpointAction | undefined
  await until('the receipt is complete', async () => {
    receipt = (await soc.call('GET', `/edr/actions/${action_id}`, { as })).body
    return receipt?.completed_at !== null
  })
  return receipt as EndpointAction
}

test('EDR in real mode with an adapter', async (t) => {
  const edr = await startReferenceEdr(t)
  const soc = await startTestSoc(t, { edr: edr.settings })
  const as = await soc.signIn()
  const responder = await soc.signInAs('responder')
  const endpoints = await inventory(soc, as)
  const of = (name: string) => endpoints[name]?.id ?? assert.fail(`no ${name}`)
  const order = (name: string, command: string, body?: object) =>
    soc.call('POST', `/edr/endpoints/${of(name)}/${command}`, { as: responder, body })
  const isolation = async (name: string) =>
    (await soc.call('GET', `/edr/endpoints/${of(name)}`, { as })).body.isolation

  await t.test('GET /edr/endpoints is the inventory of the EDR', async () => {
    const { first_seen_at, last_seen_at, ...rest } = endpoints['fin-ws-07'] ?? assert.fail()
    assert.ok(Date.parse(first_seen_at) <= Date.parse(last_seen_at))
    assert.deepEqual(rest, {
      id: of('fin-ws-07'),
      hostname: 'fin-ws-07',
      ips: ['192.0.2.107'],
      os: { name: 'Windows', version: '11 23H2', arch: 'x64' },
      agent_version: '1.0.0',
      status: 'online',
      isolation: 'none',
      labels: ['finance'],
      site_id: null,
    })
  })

  const FILTERS: [string, string[]][] = [
    ['?status=offline', ['laptop-11']],
    ['?os=debian', ['file-01']],
    ['?label=hr', ['hr-ws-03']],
    ['?hostname=FIN-WS-07', ['fin-ws-07']],
    ['?ip=192.0.2.20', ['file-01']],
    ['?q=-WS-', ['fin-ws-07', 'hr-ws-03']],
    ['?isolation=isolated', []],
    ['?site_id=x', []],
    ['?q=nothing', []],
  ]
  for (const [query, names] of FILTERS) {
    await t.test(`GET /edr/endpoints${query}`, async () => {
      const { body } = await soc.call('GET', `/edr/endpoints${query}`, { as })
      assert.deepEqual(body.items.map(({ hostname }: Endpoint) => hostname).sort(), names)
      assert.equal(body.total, names.length)
    })
  }

  await t.test('GET /edr/endpoints by cursor is the whole list', async () => {
    const first = (await soc.call('GET', '/edr/endpoints?sort=first_seen_at&limit=3', { as })).body
    const rest = `/edr/endpoints?sort=first_seen_at&limit=3&cursor=${first.next_cursor}`
    const second = (await soc.call('GET', rest, { as })).body
    const names = [...first.items, ...second.items].map(({ hostname }) => hostname).sort()
    assert.deepEqual(names, Object.keys(endpoints).sort())
  })

  await t.test('unknown endpoints and receipts are 404', async () => {
    for (const id of ['nobody', '00000000-0000-7000-8000-000000000000']) {
      assert.equal((await soc.call('GET', `/edr/endpoints/${id}`, { as })).status, 404)
      assert.equal((await soc.call('GET', `/edr/endpoints/${id}/actions`, { as })).status, 404)
      assert.equal((await soc.call('GET', `/edr/actions/${id}`, { as })).status, 404)
    }
  })

  await t.test('POST isolate is queued, delivered and seen by listeners', async () => {
    const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
    const stream = await readEvents(t, address, as)
    const { status, body } = await order('fin-ws-07', 'isolate', { reason: 'beacon' })
    const { action_id, created_at, ...receipt } = body
    assert.equal(status, 201)
    assert.ok(action_id && created_at)
    assert.deepEqual(receipt, {
      endpoint_id: of('fin-ws-07'),
      hostname: 'fin-ws-07',
      command: 'isolate',
      status: 'queued',
      simulated: false,
      adapter: 'http',
      requested_by: 'responder',
      reason: 'beacon',
      detail: null,
      attempts: 0,
      completed_at: null,
    })
    assert.equal((await completed(soc, as, body)).status, 'completed')
    assert.equal(await isolation('fin-ws-07'), 'isolated')
    assert.deepEqual(await edr.stage(), ['isolate fin-ws-07'])
    await until('the events', () => stream.names().length > 4)
    assert.deepEqual(
      stream.received.slice(1).map(({ event, data }) => {
        const { status, isolation, command } = data as Record<string, string>
        return [event, command ? status : isolation]
      }),
      [
        ['endpoint.updated', 'pending'],
        ['endpoint.action', 'queued'],
        ['endpoint.updated', 'isolated'],
        ['endpoint.action', 'completed'],
      ],
    )
    await stream.close()
    const audited = (await soc.call('GET', '/audit', { as })).body.items
    const actions = audited.map(({ action, actor }: Record<string, string>) => [actor, action])
    assert.deepEqual(actions.slice(0, 2).sort(), [
      ['responder', 'endpoint.isolate'],
      ['system', 'endpoint.isolate.completed'],
    ])
  })

  await t.test('POST isolate again is 200 with the receipt there is, and acts once', async () => {
    const again = await order('fin-ws-07', 'isolate')
    assert.deepEqual([again.status, again.body.status], [200, 'completed'])
    assert.deepEqual(await edr.stage(), ['isolate fin-ws-07'])
  })

  await t.test('POST unisolate of what is not isolated is 409 that says why', async () => {
    const { status, body } = await order('hr-ws-03', 'unisolate')
    assert.equal(status, 409)
    assert.equal(body.detail, 'hr-ws-03 is not isolated: there is nothing to release')
  })

  await t.test('POST unisolate lets it back', async () => {
    const { body } = await order('fin-ws-07', 'unisolate')
    assert.equal((await completed(soc, as, body)).status, 'completed')
    assert.equal(await isolation('fin-ws-07'), 'none')
  })

  await t.test('POST scan is under way until the EDR says it is over', async () => {
    const { body } = await order('hr-ws-03', 'scan')
    const receipt = await completed(soc, as, body)
    assert.deepEqual([receipt.status, receipt.detail], ['completed', 'nothing found'])
    assert.ok(receipt.attempts >= 2)
  })

  await t.test(
    'an action waits while its endpoint is offline, and goes when it is back',
    async () => {
      const { body } = await order('laptop-11', 'isolate')
      assert.deepEqual([body.status, body.detail], ['queued', 'waits until the endpoint is online'])
      assert.equal(await isolation('laptop-11'), 'pending')
      const again = await order('laptop-11', 'isolate')
      assert.deepEqual([again.status, again.body.action_id], [200, body.action_id])
      const done = (await edr.stage()).length
      // Delivered in between: the queue itself is not stuck.
      await completed(soc, as, (await order('hr-ws-03', 'scan')).body)
      assert.equal((await edr.stage({ endpoint_id: 'ref-4', status: 'online' })).length, done + 1)
      assert.equal((await completed(soc, as, body)).status, 'completed')
      assert.equal((await edr.stage()).at(-1), 'isolate laptop-11')
    },
  )

  await t.test('an isolation that was not sent yet is withdrawn by unisolate', async () => {
    await edr.stage({ endpoint_id: 'ref-2', status: 'offline' })
    await until('it is offline', async () => {
      const { body } = await soc.call('GET', `/edr/endpoints/${of('hr-ws-03')}`, { as })
      return body.status === 'offline'
    })
    const isolate = (await order('hr-ws-03', 'isolate')).body
    const release = await order('hr-ws-03', 'unisolate')
    assert.deepEqual([release.status, release.body.status], [201, 'completed'])
    assert.equal((await completed(soc, as, isolate)).status, 'cancelled')
    assert.equal(await isolation('hr-ws-03'), 'none')
    const done = await edr.stage({ endpoint_id: 'ref-2', status: 'online' })
    assert.ok(!done.includes('isolate hr-ws-03'))
  })

  await t.test(
    'while the EDR is away actions wait, and are done once when it is back',
    async () => {
      const before = await edr.stage()
      await edr.goAway()
      const { body } = await order('file-01', 'isolate')
      await until('a failed attempt', async () => {
        const receipt = (await soc.call('GET', `/edr/actions/${body.action_id}`, { as })).body
        return receipt.status === 'queued' && /cannot be reached/.test(receipt.detail)
      })
      await edr.comeBack()
      assert.equal((await completed(soc, as, body)).status, 'completed')
      assert.deepEqual(await edr.stage(), [...before, 'isolate file-01'])
    },
  )

  await t.test('GET /edr/actions and /edr/endpoints/{id}/actions list the receipts', async () => {
    const all = (await soc.call('GET', '/edr/actions', { as })).body
    assert.equal(all.items[0].hostname, 'file-01')
    const scans = (await soc.call('GET', '/edr/actions?command=scan&status=completed', { as })).body
    assert.equal(scans.total, 2)
    const own = await soc.call('GET', `/edr/endpoints/${of('fin-ws-07')}/actions?order=asc`, { as })
    assert.deepEqual(
      own.body.items.map(({ command }: EndpointAction) => command),
      ['isolate', 'unisolate'],
    )
    const wrong = await soc.call('GET', '/edr/actions?command=reboot', { as })
    assert.deepEqual([wrong.status, wrong.body.detail.split(':')[0]], [400, 'command'])
  })

  await t.test('GET /edr/stats counts them', async () => {
    const { body } = await soc.call('GET', '/edr/stats', { as })
    assert.deepEqual([body.total, body.by_isolation.isolated], [4, 2])
    assert.deepEqual(body.actions, { queued: 0, sent: 0, completed: 7, failed: 0, cancelled: 1 })
    assert.deepEqual([body.adapter.name, body.adapter.missing_setting], ['http', null])
  })

  await t.test(
    'an endpoint isolated elsewhere is shown as such, and needs no command',
    async () => {
      await soc.query('DELETE FROM edr_actions WHERE endpoint_id = $1', [of('file-01')])
      await soc.query("UPDATE edr_endpoints SET isolation = 'none' WHERE id = $1", [of('file-01')])
      await until('the inventory says so', async () => (await isolation('file-01')) === 'isolated')
      const done = await edr.stage()
      const { status, body } = await order('file-01', 'isolate')
      assert.deepEqual(
        [status, body.status, body.detail],
        [201, 'completed', 'the EDR had done so already'],
      )
      assert.deepEqual(await edr.stage(), done)
    },
  )

  await t.test('an endpoint without an agent: 409 says so', async () => {
    await soc.query(`INSERT INTO edr_endpoints
      (id, hostname, ips, status, first_seen_at, last_seen_at)
      VALUES (gen_random_uuid(), 'web-1', '{}', 'unknown', now(), now())`)
    const { status, body } = await soc.call('POST', '/edr/endpoints/web-1/isolate', { as })
    assert.equal(status, 409)
    assert.match(body.detail, /no EDR agent/)
  })

  await t.test('a host name is the machine that is there, not the agent before it', async () => {
    await soc.query(`INSERT INTO edr_endpoints
      (id, external_id, hostname, ips, status, first_seen_at, last_seen_at)
      VALUES (gen_random_uuid(), 'before it was set up anew', 'fin-ws-07', '{}', 'offline', now(),
        now() + interval '1 minute')`)
    const before = await edr.stage()
    const { body } = await soc.call('POST', '/edr/endpoints/fin-ws-07/isolate', { as })
    assert.equal(body.detail, null)
    assert.equal((await completed(soc, as, body)).status, 'completed')
    assert.deepEqual(await edr.stage(), [...before, 'isolate fin-ws-07'])
  })

  await t.test('POST isolate needs edr:manage', async () => {
    const analyst = await soc.signInAs('analyst')
    const path = `/edr/endpoints/${of('hr-ws-03')}/isolate`
    assert.equal((await soc.call('POST', path, { as: analyst })).status, 403)
  })
})

test('EDR refuses what it cannot do', async (t) => {
  const seen = "'2026-01-01T00:00:00Z'"
  const ID = '00000000-0000-7000-8000-000000000001'
  const learn = `INSERT INTO edr_endpoints
    (id, hostname, ips, status, first_seen_at, last_seen_at)
    VALUES ('${ID}', 'web-1', '{}', 'unknown', ${seen}, ${seen})`
  const path = `/edr/endpoints/${ID}/isolate`
  const real = await startTestSoc(t)
  const as = await real.signIn()
  await real.query(learn)
  const receipts = async () => (await real.query('SELECT * FROM edr_actions')).length

  await t.test('real without an adapter: 503 names the setting, nothing is recorded', async () => {
    const { status, body } = await real.call('POST', path, { as })
    assert.equal(status, 503)
    assert.match(body.detail, /set EDR_URL/)
    assert.equal(await receipts(), 0)
    const { isolation } = (await real.call('GET', `/edr/endpoints/${ID}`, { as })).body
    assert.equal(isolation, 'none')
  })

  await t.test('real with an address but no secret: 503 names EDR_SECRET', async () => {
    const soc = await startTestSoc(t, {
      connection: real.connection,
      edr: { url: 'http://127.0.0.1:9', secret: undefined, pollMs: 1_000 },
    })
    assert.match((await soc.call('POST', path, { as })).body.detail, /set EDR_SECRET/)
  })

  await t.test('dry_run: a simulated receipt is kept, the endpoint stays as it is', async () => {
    const soc = await startTestSoc(t, { mode: 'dry_run', connection: real.connection })
    const { status, body } = await soc.call('POST', path, { as })
    assert.equal(status, 200)
    assert.deepEqual([body.simulated, body.preview, body.status], [true, true, 'completed'])
    const stored = (await soc.call('GET', `/edr/actions/${body.action_id}`, { as })).body
    assert.equal(stored.simulated, true)
    const { isolation } = (await soc.call('GET', `/edr/endpoints/${ID}`, { as })).body
    assert.equal(isolation, 'none')
  })

  await t.test('dummy: 409 and nothing is recorded', async () => {
    const before = await receipts()
    const soc = await startTestSoc(t, { mode: 'dummy', connection: real.connection })
    const { status, body } = await soc.call('POST', path, { as })
    assert.equal(status, 409)
    assert.match(body.detail, /dummy mode/)
    assert.equal(await receipts(), before)
  })
})

test('an isolation that the EDR could not pass on can still be withdrawn', async (t) => {
  const edr = await startReferenceEdr(t)
  // The inventory is asked once: that the endpoint is gone is heard with the order.
  const soc = await startTestSoc(t, { edr: { ...edr.settings, pollMs: 3_600_000 } })
  const as = await soc.signIn()
  const { id } = (await inventory(soc, as))['hr-ws-03'] ?? assert.fail()
  await edr.stage({ endpoint_id: 'ref-2', status: 'offline' })
  const isolate = (await soc.call('POST', `/edr/endpoints/${id}/isolate`, { as })).body
  await until('the EDR says that it is offline', async () => {
    const { body } = await soc.call('GET', `/edr/actions/${isolate.action_id}`, { as })
    return /is offline/.test(body.detail)
  })
  const release = await soc.call('POST', `/edr/endpoints/${id}/unisolate`, { as })
  assert.deepEqual([release.status, release.body.status], [201, 'completed'])
  assert.equal((await completed(soc, as, isolate)).status, 'cancelled')
})
