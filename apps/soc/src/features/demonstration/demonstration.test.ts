import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { copyReadyCluster } from '@manara/kit/testing/ready-cluster'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const DEMO_HOST = 'fin-ws-07.demo.invalid'

async function readySoc(t: TestContext) {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const made = await soc.call('POST', '/detections/rules', {
    as,
    body: {
      ...{ name: 'Shadow copies', query: 'CommandLine:*shadows*', alert_severity: 'critical' },
      ...{ alert_title_template: 'Recovery removed on {host}', auto_create_case: true },
      schedule_enabled: true,
    },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const state = async () => (await soc.call('GET', '/demonstration', { as })).body
  return { soc, as, state }
}

const alertsOf = async (soc: TestSoc, as: string, query = '') =>
  (await soc.call('GET', `/alerts${query}`, { as })).body

test('the demonstration: loaded once, marked, rehearsed only, removed whole', async (t) => {
  const { soc, as, state } = await readySoc(t)
  const call = async (method: string, route: string, body?: object) => {
    const reply = await soc.call(method as 'GET', route, { as, ...(body && { body }) })
    assert.ok(reply.status < 300, `${method} ${route}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const real = await call('POST', '/alerts', {
    ...{ title: 'A real one', source: 'edr', severity: 'high', host: 'web-9' },
  })
  await call('POST', '/siem/logs', { events: [{ source: 'app', message: 'a real line' }] })
  assert.equal((await state()).status, 'none')

  await t.test('only an admin may load or remove it, everybody sees that it is there', async () => {
    const manager = await soc.signInAs('manager')
    assert.equal((await soc.call('POST', '/demonstration', { as: manager })).status, 403)
    assert.equal((await soc.call('DELETE', '/demonstration', { as: manager })).status, 403)
    assert.equal((await soc.call('GET', '/demonstration', { as: manager })).status, 200)
  })

  await t.test('removed while it is loaded, what was on its way stays away too', async () => {
    await call('POST', '/demonstration')
    await call('DELETE', '/demonstration')
    await until('it is gone', async () => (await state()).status === 'none')
    // Rules look at events in their order: what came before this one has been through them.
    const event = { source: 'sysmon', host: 'web-9', CommandLine: 'vssadmin delete shadows' }
    await call('POST', '/siem/logs', { events: [event] })
    await until('the rule has fired', async () => {
      return (await alertsOf(soc, as, '?host=web-9&q=Recovery')).total === 1
    })
    assert.equal((await alertsOf(soc, as, `?host=${DEMO_HOST}`)).total, 0)
    assert.equal((await call('GET', '/edr/endpoints?q=demo.invalid')).total, 0)
  })

  const before = await call('GET', '/dashboard/stats')
  await t.test('its events pass the rules like any others', async () => {
    await call('POST', '/demonstration')
    await until('it is loaded', async () => (await state()).status === 'loaded')
    await until('the rules have fired', async () => {
      const { items } = await alertsOf(soc, as, `?host=${DEMO_HOST}`)
      return items.some(({ title }: { title: string }) => /Recovery removed/.test(title))
    })
    const { events, alerts } = await state()
    assert.equal(events, 183)
    assert.ok(alerts > 0)
  })

  await t.test('loading twice is no double', async () => {
    await call('POST', '/demonstration')
    const { total } = await call('GET', '/siem/logs?q=labels.demonstration:true&limit=1')
    assert.equal(total, 183)
  })

  await t.test('a playbook about it is rehearsed, whoever starts it', async () => {
    const { items } = await alertsOf(soc, as, `?host=${DEMO_HOST}&limit=1`)
    const { id } = await call('POST', '/soar/playbooks', {
      ...{ name: 'Tell somebody', is_critical: false },
      steps: [{ id: 'note', action: 'create_case', params: { title: 'x', severity: 'low' } }],
    })
    const begun = await call('POST', `/soar/playbooks/${id}/execute`, { alert_id: items[0].id })
    const execution = await call('GET', `/soar/executions/${begun.execution_id}`)
    assert.equal(execution.dry_run, true)
    const forReal = await call('POST', `/soar/playbooks/${id}/execute`, { alert_id: real.id })
    assert.equal((await call('GET', `/soar/executions/${forReal.execution_id}`)).dry_run, false)
  })

  await t.test('removed, nothing of it is left but the audit log', async () => {
    await call('DELETE', '/demonstration')
    await until('it is gone', async () => (await state()).status === 'none')
    const { total } = await call('GET', '/siem/logs?q=labels.demonstration:true&limit=1')
    assert.equal(total, 0)
    assert.equal((await alertsOf(soc, as, `?host=${DEMO_HOST}`)).total, 0)
    const { items: cases } = await call('GET', '/cases')
    assert.ok(cases.every(({ title }: { title: string }) => !/demo\.invalid/.test(title)))
    assert.equal((await call('GET', '/siem/logs?source=app&limit=1')).total, 1)
    assert.equal((await call('GET', `/alerts/${real.id}`)).title, 'A real one')
    const { total_alerts, open_alerts, trend } = await call('GET', '/dashboard/stats')
    assert.deepEqual([total_alerts, open_alerts], [before.total_alerts, before.open_alerts])
    const created = (of: { created: number }[]) => of.reduce((sum, one) => sum + one.created, 0)
    assert.equal(created(trend), created(before.trend))
    const { items } = await call('GET', '/audit?action=demonstration.removed')
    assert.ok(items.length > 0)
    assert.equal((await call('GET', '/audit/verify')).valid, true)
  })

  await t.test('and it can be loaded again', async () => {
    await call('POST', '/demonstration')
    await until('its events are new', async () => {
      return (await call('GET', '/siem/logs?q=labels.demonstration:true&limit=1')).total === 183
    })
    await call('DELETE', '/demonstration')
    await until('it is gone', async () => (await state()).status === 'none')
  })
})

test('a host called as in the demonstration, or an alert beside its own, rehearses nothing', async (t) => {
  const { soc, as, state } = await readySoc(t)
  const call = async (method: string, route: string, body?: object) =>
    (await soc.call(method as 'GET', route, { as, ...(body && { body }) })).body
  const { id: playbook } = await call('POST', '/soar/playbooks', {
    ...{ name: 'Tell somebody', is_critical: false },
    steps: [{ id: 'note', action: 'create_case', params: { title: 'x', severity: 'low' } }],
  })
  const isRehearsed = async (about: object) => {
    const { execution_id } = await call('POST', `/soar/playbooks/${playbook}/execute`, about)
    return (await call('GET', `/soar/executions/${execution_id}`)).dry_run
  }
  const said = { host: DEMO_HOST, source: 'demonstration', msg: 'as it says' }
  const event = { id: 'claimed', message: JSON.stringify(said) }
  await call('POST', '/siem/logs', { events: [event] })
  const { alert } = await call('POST', '/siem/logs/claimed/promote', {})
  assert.equal(alert.host, DEMO_HOST)
  assert.equal(await isRehearsed({ alert_id: alert.id }), false)

  await call('POST', '/demonstration')
  await until('it is loaded', async () => (await state()).status === 'loaded')
  const invented = async () => {
    const { items } = await alertsOf(soc, as, `?host=${DEMO_HOST}`)
    return items.find(({ source_ref }: { source_ref: string }) => /^demo-/.test(source_ref))
  }
  await until('the rule has fired', async () => Boolean(await invented()))
  const { id, case_id } = await invented()
  assert.equal(await isRehearsed({ alert_id: alert.id }), false)
  assert.equal(await isRehearsed({ alert_id: id }), true)
  assert.equal(await isRehearsed({ case_id }), true)
  await call('POST', `/alerts/${alert.id}/case-link`, { case_id })
  assert.equal(await isRehearsed({ case_id }), false)
  assert.equal(await isRehearsed({ alert_id: id }), true)
})

test('what others call as the demonstration does stays when it is removed', async (t) => {
  const { soc, as, state } = await readySoc(t)
  const call = async (method: string, route: string, body?: object) =>
    (await soc.call(method as 'GET', route, { as, ...(body && { body }) })).body
  const said = { CommandLine: 'vssadmin delete shadows', labels: { demonstration: true } }
  const line = (more: object) => ({ message: JSON.stringify({ ...said, msg: 'real', ...more }) })
  const events = [
    { id: 'by-name', ...line({ host: 'web-9', source: 'demonstration' }) },
    { id: 'by-host', ...line({ host: DEMO_HOST }) },
  ]
  await call('POST', '/siem/logs', { events })
  const real = async () =>
    (await alertsOf(soc, as, '?q=Recovery')).items.filter(
      ({ source_ref }: { source_ref: string }) => source_ref.startsWith('by-'),
    ).length
  await until('the rule has fired', async () => (await real()) === 2)

  const stays = async () => {
    await call('DELETE', '/demonstration')
    await until('it is gone', async () => (await state()).status === 'none')
    for (const { id } of events) assert.equal((await call('GET', `/siem/logs/${id}`)).id, id)
    assert.equal(await real(), 2)
  }
  const load = async () => {
    await call('POST', '/demonstration')
    await until('it is loaded', async () => (await state()).status === 'loaded')
  }
  await load()
  await until('the rule has fired', async () => (await state()).alerts > 0)
  await stays()
  const left = await call('GET', '/siem/logs?q=labels.demonstration:true&limit=1')
  assert.equal(left.total, events.length)

  await t.test('of a load of before, under a name that was not its own', async () => {
    await load()
    const [row] = await soc.query<{ source: string }>('SELECT source FROM demonstration')
    const source = row?.source
    await call('POST', '/siem/logs', { events: [{ id: 'beside', source, message: 'real' }] })
    await stays()
    assert.equal((await call('GET', '/siem/logs/beside')).source, source)
  })
})

test('a case that a person made or worked in stays when the demonstration goes', async (t) => {
  const { soc, as, state } = await readySoc(t)
  const call = async (method: string, route: string, body?: object) =>
    (await soc.call(method as 'GET', route, { as, ...(body && { body }) })).body
  const open = async (title: string) => (await call('POST', '/cases', { title })).id
  for (const name of ['Locked', 'Word', 'Signed in']) {
    const query = { Locked: 'locked', Word: 'WINWORD', 'Signed in': 'publickey' }[name]
    await call('POST', '/detections/rules', {
      ...{ name, query, alert_severity: 'high', auto_create_case: name !== 'Locked' },
      ...{ alert_title_template: name, schedule_enabled: true },
    })
  }
  await call('POST', '/demonstration')
  await until('it is loaded', async () => (await state()).status === 'loaded')
  const raised = async (title: string) =>
    (await alertsOf(soc, as, `?q=${title}`)).items.find((one: { title: string }) =>
      one.title.startsWith(title),
    )
  for (const title of ['Recovery', 'Locked', 'Word', 'Signed']) {
    await until(`${title} was raised`, async () => Boolean(await raised(title)))
  }

  const byHand = await open('Stolen laptop')
  await call('POST', `/cases/${byHand}/comments`, { body: 'called the owner' })
  await call('POST', `/alerts/${(await raised('Locked')).id}/case-link`, { case_id: byHand })
  const mergedInto = await open('Phishing')
  const { case_id: merged } = await raised('Word')
  await call('POST', `/cases/${mergedInto}/merge`, { case_ids: [merged] })
  const { case_id: workedIn } = await raised('Signed')
  await call('POST', `/cases/${workedIn}/comments`, { body: 'looked at it' })
  const { case_id: untouched } = await raised('Recovery')

  await call('DELETE', '/demonstration')
  await until('it is gone', async () => (await state()).status === 'none')
  for (const id of [byHand, mergedInto, workedIn]) {
    const { alert_ids, timeline } = await call('GET', `/cases/${id}`)
    assert.deepEqual(alert_ids, [])
    assert.match(JSON.stringify(timeline), /removed with the demonstration/)
  }
  const gone = await soc.call('GET', `/cases/${untouched}`, { as })
  assert.equal(gone.status, 404)
})

test('removed, detections and indicators count as before', async (t) => {
  const { soc, as, state } = await readySoc(t)
  const call = async (method: string, route: string, body?: object) =>
    (await soc.call(method as 'GET', route, { as, ...(body && { body }) })).body
  for (const [name, source] of [
    ['invented', 'demonstration-*'],
    ['real', 'real-*'],
  ]) {
    await call('POST', '/detections/rules', { name, query: 'no:such', source })
  }
  const eventsOf = async (name: string) =>
    (await call('GET', `/detections/rules?q=${name}`)).items[0].source_events
  const { id: sighted } = await call('POST', '/iocs', { value: '203.0.113.45', score: 95 })
  const { items } = await call('GET', '/detections/rules?q=Shadow')
  const numbers = async () => {
    const { rules_without_data, top_rules_by_matches } = await call('GET', '/detections/metrics')
    const one = await call('GET', `/iocs/${sighted}`)
    const { sightings, first_sighted_at, last_sighted_at } = one
    return {
      ...{ rules_without_data, top_rules_by_matches },
      ...{ sightings, first_sighted_at, last_sighted_at },
    }
  }
  // Until the rules are in force nobody counts for them.
  const isCounted = async (atLeast: number) => {
    await call('POST', '/siem/logs', { events: [{ source: 'real-1', message: 'in' }] })
    return (await eventsOf('real')) > atLeast
  }
  await until('the rules are in force', () => isCounted(0))
  const before = await numbers()
  await call('POST', '/demonstration')
  await until('it is loaded', async () => (await state()).status === 'loaded')
  await until('it was seen', async () => (await numbers()).sightings > 0)
  await until('the rule has fired', async () => (await state()).alerts > 1)
  // What came before it is counted with it.
  const counted = await eventsOf('real')
  await until('what came is counted', () => isCounted(counted))
  assert.equal(await eventsOf('invented'), 0)
  const run = await call('POST', `/detections/rules/${items[0].id}/run`, {})
  assert.equal(run.total, 1, JSON.stringify(run))
  await call('DELETE', '/demonstration')
  await until('it is gone', async () => (await state()).status === 'none')
  assert.deepEqual(await numbers(), before)
})

test('kill -9 while it is loaded and while it is removed: it goes on after the start', async (t) => {
  const { env, start } = processFixture(t, mainOf('soc'), (folder) => ({
    ...{ SOC_PORT: '0', SOC_AGENTS: 'off', SOC_DATA: folder, SOC_LOG: 'silent' },
    SOC_WARM_UP: 'off',
    SOC_STARTER_RULES: 'off',
    ...{ SOC_ADMIN_PASSWORD: 'correct horse battery', SOC_RATE_GENERAL: '1000000' },
  }))
  copyReadyCluster(env.SOC_DATA)
  const begin = async () => {
    const service = start()
    const [, address] = await service.printed(/^soc +(http\S+)/m)
    const signed = await fetch(`${address}/api/v1/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'admin', password: 'correct horse battery' }),
    })
    const { access_token } = (await signed.json()) as { access_token: string }
    const call = async (method: string, route: string) => {
      const headers = { authorization: `Bearer ${access_token}` }
      const reply = await fetch(`${address}/api/v1${route}`, { method, headers })
      return (await reply.json()) as { status: string; total: number }
    }
    return { service, call }
  }
  const first = await begin()
  await first.call('POST', '/demonstration')
  await first.service.end('SIGKILL')

  const second = await begin()
  await until('it is loaded', async () => {
    return (await second.call('GET', '/demonstration')).status === 'loaded'
  })
  const events = '/siem/logs?q=labels.demonstration:true&limit=1'
  assert.equal((await second.call('GET', events)).total, 183)
  await second.call('DELETE', '/demonstration')
  await second.service.end('SIGKILL')

  const third = await begin()
  await until('it is gone', async () => {
    return (await third.call('GET', '/demonstration')).status === 'none'
  })
  assert.equal((await third.call('GET', events)).total, 0)
  assert.equal((await third.call('GET', '/alerts?limit=1')).total, 0)
})
