import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent } from '@manara/soc-contract/agents'
import { startTestSoc } from '../../../testing/test-soc.ts'

test('agents', async (t) => {
  const soc = await startTestSoc(t)
  const manager = await soc.signInAs('manager')
  const viewer = await soc.signInAs('viewer')
  const call = (method: string, path: string, body?: unknown, as = manager) =>
    soc.call(method, path, { as, body })

  await t.test('GET /agents lists the sixteen; filters by site, status and type', async () => {
    const { status, body } = await call('GET', '/agents', undefined, viewer)
    assert.equal(status, 200)
    assert.deepEqual(
      body.items.map(({ id }: Agent) => id),
      Array.from({ length: 16 }, (_, index) => `agent-${String(index + 1).padStart(3, '0')}`),
    )
    assert.deepEqual([body.total, body.has_more], [16, false])
    const mayCall = (body.items as Agent[]).filter(({ tools }) => tools.length > 0)
    assert.ok(mayCall.every(({ id }) => id <= 'agent-014'))
    const types = (await call('GET', '/agents?type=triage')).body
    assert.deepEqual([types.total, types.items[0].name], [1, 'Triage'])
    assert.equal((await call('GET', '/agents?status=disabled')).body.total, 0)
    assert.equal((await call('GET', '/agents?site=nowhere')).body.total, 0)
    assert.equal((await call('GET', '/agents?limit=5&skip=14')).body.items.length, 2)
  })

  await t.test('wrong filters are 400 that name the field', async () => {
    for (const [query, field] of [
      ['status=asleep', 'status'],
      ['type=wizard', 'type'],
      ['limit=201', 'limit'],
    ]) {
      const reply = await call('GET', `/agents?${query}`)
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, new RegExp(`^${field}: `))
    }
  })

  await t.test('disable and enable, by id or by name', async () => {
    const off = await call('POST', '/agents/Triage/disable')
    assert.deepEqual([off.status, off.body.id, off.body.status], [200, 'agent-001', 'disabled'])
    assert.equal((await call('GET', '/agents?status=disabled')).body.total, 1)
    const on = await call('POST', '/agents/agent-001/enable')
    assert.equal(on.body.status, 'active')
    assert.equal((await call('POST', '/agents/agent-017/enable')).status, 404)
  })

  await t.test('PATCH /agents/{id}/scale takes 0 to 10', async () => {
    for (const instances of [0, 10]) {
      const reply = await call('PATCH', '/agents/agent-002/scale', { instances })
      assert.deepEqual([reply.status, reply.body.instances], [200, instances])
    }
    for (const instances of [-1, 11, 1.5, '3', null]) {
      const reply = await call('PATCH', '/agents/agent-002/scale', { instances })
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, /^instances: /)
    }
    assert.equal((await call('GET', '/agents/agent-002')).body.instances, 10)
  })

  await t.test('deploy checks the site: what it supports and what stands there', async () => {
    const siteOf = async (name: string, profile: object) =>
      (await call('POST', '/sites', { name, profile })).body.id as string
    const office = await siteOf('Office', {
      asset_classes: ['workstation', 'server'],
      supported_agents: ['agent-001', 'CpsGuard', 'EdrResponder'],
    })
    const plant = await siteOf('Plant', { asset_classes: ['Safety PLCs'] })
    const deploy = (agent: string, site_id: unknown) =>
      call('POST', `/agents/${agent}/deploy`, { site_id })

    assert.equal((await deploy('agent-001', office)).body.site_id, office)
    assert.equal((await deploy('EdrResponder', office)).status, 200)
    assert.equal((await deploy('CpsGuard', plant)).status, 200)
    for (const [agent, site, why] of [
      ['agent-002', office, /^site_id: Office does not support Enrichment/],
      ['CpsGuard', office, /^site_id: CpsGuard works on plc.*declares only workstation, server/],
      ['EdrResponder', plant, /^site_id: EdrResponder works on workstation/],
    ] as const) {
      const reply = await deploy(agent, site)
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, why)
    }
    assert.equal((await deploy('agent-001', 'nowhere')).status, 404)
    assert.equal((await deploy('agent-001', 7)).status, 400)
    assert.equal((await call('GET', `/agents?site=${office}`)).body.total, 2)
    // Written in capitals it is the same site: found by it, and kept from being removed.
    const capitals = plant.toUpperCase()
    assert.equal((await deploy('CpsGuard', capitals)).body.site_id, plant)
    assert.equal((await call('GET', `/agents?site=${capitals}`)).body.total, 1)
    assert.equal((await call('DELETE', `/sites/${capitals}`)).status, 409)

    const kept = await call('DELETE', `/sites/${office}`)
    assert.equal(kept.status, 409)
    assert.match(kept.body.detail, /Triage/)
    await deploy('agent-001', null)
    await deploy('EdrResponder', null)
    assert.equal((await call('DELETE', `/sites/${office}`)).status, 200)
  })

  await t.test('POST /agents/pause and resume, with who and why', async () => {
    const paused = await call('POST', '/agents/pause', { reason: 'they went wild' })
    assert.deepEqual(
      [paused.status, paused.body.paused, paused.body.by, paused.body.reason],
      [200, true, 'manager', 'they went wild'],
    )
    assert.equal((await call('GET', '/agents/agent-001')).body.is_paused, true)
    assert.equal((await call('POST', '/agents/resume')).body.paused, false)
  })

  await t.test('managing needs agents:manage, reading agents:read', async () => {
    for (const [method, path, body] of [
      ['POST', '/agents/agent-001/enable'],
      ['POST', '/agents/agent-001/disable'],
      ['POST', '/agents/agent-001/deploy', { site_id: null }],
      ['PATCH', '/agents/agent-001/scale', { instances: 1 }],
      ['POST', '/agents/pause'],
    ] as const) {
      const reply = await call(method, path, body, viewer)
      assert.deepEqual([reply.status, reply.body.detail], [403, 'requires agents:manage'])
    }
    assert.equal((await soc.call('GET', '/agents')).status, 401)
    assert.equal((await call('GET', '/agents/agent-001/runs', undefined, viewer)).body.total, 0)
    assert.equal((await call('GET', '/agents/nobody/runs', undefined, viewer)).status, 404)
  })
})

test('dry_run shows what a change would be; dummy refuses it', async (t) => {
  const real = await startTestSoc(t)
  const as = await real.signIn()
  const { connection } = real
  const dry = await startTestSoc(t, { mode: 'dry_run', connection })
  const shown = await dry.call('POST', '/agents/agent-001/disable', { as })
  assert.deepEqual([shown.body.status, shown.body.preview], ['disabled', true])
  assert.equal((await dry.call('GET', '/agents/agent-001', { as })).body.status, 'active')
  const dummy = await startTestSoc(t, { mode: 'dummy', connection })
  assert.equal((await dummy.call('POST', '/agents/agent-001/disable', { as })).status, 409)
  assert.equal((await dummy.call('GET', '/agents', { as })).body.total, 16)
})
