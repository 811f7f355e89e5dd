import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

const riyadh = {
  name: 'Riyadh refinery',
  region: 'Riyadh',
  timezone: 'Asia/Riyadh',
  profile: {
    asset_classes: ['workstation', 'plc'],
    zones: ['office', 'process'],
    criticality: 'critical',
    supported_agents: ['agent-001', 'CpsGuard'],
    log_sources: ['fw-riyadh'],
  },
}

test('sites', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('manager')
  t.beforeEach(() => soc.query('DELETE FROM edr_endpoints; DELETE FROM sites'))

  async function endpoint(hostname: string): Promise<string> {
    const id = randomUUID()
    await soc.query(
      `INSERT INTO edr_endpoints (id, hostname, ips, status, first_seen_at, last_seen_at)
     VALUES ($1, $2, '{}', 'unknown', now(), now())`,
      [id, hostname],
    )
    return id
  }

  await t.test(
    'POST /sites keeps the profile as it was sent, and GET /sites shows it',
    async () => {
      const { status, body: site } = await soc.call('POST', '/sites', { as, body: riyadh })
      assert.equal(status, 201)
      assert.deepEqual({ ...site, ...riyadh }, site)
      assert.deepEqual([site.status, site.health.status], ['active', 'silent'])

      const listed = await soc.call('GET', '/sites', { as })
      assert.deepEqual([listed.body.total, listed.body.items], [1, [site]])
      assert.deepEqual((await soc.call('GET', `/sites/${site.id}`, { as })).body, site)
      const found = await soc.call('GET', '/sites?asset_class=PLC&criticality=critical&q=refin', {
        as,
      })
      assert.equal(found.body.total, 1)
      assert.equal((await soc.call('GET', '/sites?asset_class=camera', { as })).body.total, 0)
    },
  )

  await t.test('POST /sites with a name alone supports every agent', async () => {
    const { body } = await soc.call('POST', '/sites', { as, body: { name: 'Jeddah' } })
    assert.equal(body.profile.supported_agents.length, 16)
    assert.deepEqual(
      [body.timezone, body.region, body.profile.criticality, body.health.status],
      ['UTC', null, 'medium', 'unknown'],
    )
  })

  const REFUSED: [string, object][] = [
    ['name', {}],
    ['name', { name: '  ' }],
    ['timezone', { name: 'x', timezone: 'Mars/Olympus' }],
    ['timezone', { name: 'x', timezone: '+03:00' }],
    ['status', { name: 'x', status: 'gone' }],
    ['colour', { name: 'x', colour: 'red' }],
    ['profile', { name: 'x', profile: 'plc' }],
    ['profile.asset_classes', { name: 'x', profile: { asset_classes: 'plc' } }],
    ['profile.asset_classes.1', { name: 'x', profile: { asset_classes: ['plc', ''] } }],
    ['profile.asset_classes.1', { name: 'x', profile: { asset_classes: ['plc', 'PLC'] } }],
    ['profile.zones.0', { name: 'x', profile: { zones: [3] } }],
    ['profile.criticality', { name: 'x', profile: { criticality: 'enormous' } }],
    ['profile.supported_agents.0', { name: 'x', profile: { supported_agents: ['agent-017'] } }],
    ['profile.colour', { name: 'x', profile: { colour: 'red' } }],
  ]

  await t.test('POST /sites refuses what it does not know, by the name of the field', async () => {
    for (const [field, body] of REFUSED) {
      const reply = await soc.call('POST', '/sites', { as, body })
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
    }
    assert.equal((await soc.call('GET', '/sites', { as })).body.total, 0)
  })

  await t.test('a name is taken in any spelling, also by a change', async () => {
    await soc.call('POST', '/sites', { as, body: { name: 'Jeddah' } })
    const again = await soc.call('POST', '/sites', { as, body: { name: 'JEDDAH' } })
    assert.equal(again.status, 409)
    const { body: other } = await soc.call('POST', '/sites', { as, body: { name: 'Abha' } })
    const renamed = await soc.call('PATCH', `/sites/${other.id}`, { as, body: { name: 'jeddah' } })
    assert.equal(renamed.status, 409)
  })

  await t.test(
    'PATCH /sites changes what is named and leaves the rest of the profile',
    async () => {
      const { body: site } = await soc.call('POST', '/sites', { as, body: riyadh })
      const { status, body } = await soc.call('PATCH', `/sites/${site.id}`, {
        as,
        body: { status: 'maintenance', profile: { zones: ['process'] } },
      })
      assert.equal(status, 200)
      assert.deepEqual(body.profile, { ...riyadh.profile, zones: ['process'] })
      assert.deepEqual([body.name, body.status], [site.name, 'maintenance'])
      const unknown = await soc.call('PATCH', `/sites/${randomUUID()}`, { as, body: { name: 'x' } })
      assert.equal(unknown.status, 404)
      assert.equal((await soc.call('PATCH', `/sites/${site.id}`, { as, body: {} })).status, 400)
    },
  )

  await t.test(
    'DELETE /sites is 409 with what depends while an endpoint stands there',
    async () => {
      const { body: site } = await soc.call('POST', '/sites', { as, body: riyadh })
      const ids = [await endpoint('hmi-1'), await endpoint('hmi-2')]
      for (const id of ids) {
        const placed = await soc.call('PATCH', `/edr/endpoints/${id}`, {
          as,
          body: { site_id: site.id },
        })
        assert.equal(placed.body.site_id, site.id)
      }
      const shown = (await soc.call('GET', `/sites/${site.id}`, { as })).body.health
      assert.deepEqual(
        [shown.status, shown.machines[0].total, shown.machines[0].silent],
        ['degraded', 2, 0],
      )
      const refused = await soc.call('DELETE', `/sites/${site.id}`, { as })
      assert.equal(refused.status, 409)
      assert.match(refused.body.detail, /2 endpoints \(hmi-1, hmi-2\)/)

      for (const id of ids) {
        await soc.call('PATCH', `/edr/endpoints/${id}`, { as, body: { site_id: null } })
      }
      const deleted = await soc.call('DELETE', `/sites/${site.id}`, { as })
      assert.deepEqual([deleted.status, deleted.body], [200, { deleted: true, id: site.id }])
      assert.equal((await soc.call('GET', `/sites/${site.id}`, { as })).status, 404)
      const late = await soc.call('PATCH', `/edr/endpoints/${ids[0]}`, {
        as,
        body: { site_id: site.id },
      })
      assert.equal(late.status, 404)
    },
  )

  await t.test('a site whose source sends is healthy, and the topology shows it', async () => {
    const as = await soc.signIn()
    const { body: site } = await soc.call('POST', '/sites', { as, body: riyadh })
    const event = { timestamp: new Date().toISOString(), source: 'fw-riyadh', message: 'deny tcp' }
    await soc.call('POST', '/siem/logs', { as, body: { events: [event] } })
    const { health } = (await soc.call('GET', `/sites/${site.id}`, { as })).body
    assert.deepEqual([health.status, health.last_event_at], ['healthy', event.timestamp])

    const { body: topology } = await soc.call('GET', '/system/topology', { as })
    assert.deepEqual(
      topology.sites.map((one: { id: string; health: object }) => [one.id, one.health]),
      [[site.id, health]],
    )
  })

  await t.test('a viewer reads sites and changes nothing; each change is audited', async () => {
    const as = await soc.signIn()
    const viewer = await soc.signInAs('viewer')
    const { body: site } = await soc.call('POST', '/sites', { as, body: riyadh })
    assert.equal((await soc.call('GET', '/sites', { as: viewer })).status, 200)
    assert.equal((await soc.call('DELETE', `/sites/${site.id}`, { as: viewer })).status, 403)
    await soc.call('DELETE', `/sites/${site.id}`, { as })
    const { body } = await soc.call('GET', `/audit?target=site:${site.id}`, { as })
    assert.deepEqual(body.items.map((entry: { action: string }) => entry.action).sort(), [
      'site.create',
      'site.delete',
    ])
  })

  await t.test('dummy without a database shows the sites of the story', async (t) => {
    const soc = await startTestSoc(t, {
      mode: 'dummy',
      connection: { host: '127.0.0.1', port: 1, database: 'none' },
    })
    const as = await soc.signIn()
    const { body } = await soc.call('GET', '/sites', { as })
    assert.deepEqual(
      body.items.map((one: { name: string }) => one.name),
      ['Head office', 'Pumping station 3'],
    )
  })
})
