import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('alerts and cases', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('analyst', 'kim')
  let made = 0
  const newAlert = async (fields: object = {}) => {
    made += 1
    const body = { title: `Alert ${made}`, source: 'ids', ...fields }
    return (await soc.call('POST', '/alerts', { as, body })).body
  }
  const newCase = async (body: object) => (await soc.call('POST', '/cases', { as, body })).body
  const alertNow = async (id: string) => (await soc.call('GET', `/alerts/${id}`, { as })).body
  const caseNow = async (id: string) => (await soc.call('GET', `/cases/${id}`, { as })).body
  const actionsOf = (detail: { timeline: { action: string }[] }) =>
    detail.timeline.map(({ action }) => action)

  await t.test('POST /alerts/{id}/promote opens a case linked to the alert', async () => {
    const alert = await newAlert({ severity: 'critical', description: 'from the alert' })
    const { status, body } = await soc.call('POST', `/alerts/${alert.id}/promote`, {
      as,
      body: { description: 'Looks real', assignee: 'lee@example.org' },
    })
    assert.equal(status, 201)
    assert.equal(body.title, alert.title)
    assert.equal(body.severity, 'critical')
    assert.equal(body.status, 'open')
    assert.equal(body.description, 'Looks real')
    assert.equal(body.assignee, 'lee@example.org')
    assert.deepEqual(body.alert_ids, [alert.id])
    assert.deepEqual(actionsOf(body), ['case created', `alert ${alert.id} linked`])
    const linked = await alertNow(alert.id)
    assert.equal(linked.case_id, body.id)
    assert.equal(linked.status, 'investigating')

    const again = await soc.call('POST', `/alerts/${alert.id}/promote`, { as, body: {} })
    assert.equal(again.status, 409)
  })

  await t.test('promote needs no body and refuses unknown fields', async () => {
    const alert = await newAlert({ description: 'kept' })
    const bad = await soc.call('POST', `/alerts/${alert.id}/promote`, { as, body: { title: 'x' } })
    assert.equal(bad.status, 400)
    assert.match(bad.body.detail, /^title: /)
    const { status, body } = await soc.call('POST', `/alerts/${alert.id}/promote`, { as })
    assert.equal(status, 201)
    assert.equal(body.description, 'kept')
  })

  await t.test('many promote one alert at once: one case, the others 409', async () => {
    const alert = await newAlert()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => soc.call('POST', `/alerts/${alert.id}/promote`, { as })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
    assert.deepEqual(
      await soc.query('SELECT count(*)::int AS n FROM cases WHERE title = $1', [alert.title]),
      [{ n: 1 }],
    )
  })

  await t.test('a promotion that fails half-way leaves nothing', async () => {
    const alert = await newAlert()
    await soc.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'disk full'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON case_timeline EXECUTE FUNCTION fail();`)
    const { status, body } = await soc.call('POST', `/alerts/${alert.id}/promote`, { as })
    await soc.query('DROP TRIGGER fail ON case_timeline')
    assert.equal(status, 500)
    assert.deepEqual(body, { detail: 'internal error' })
    assert.deepEqual(await alertNow(alert.id), alert)
    assert.deepEqual(await soc.query('SELECT 1 FROM cases WHERE title = $1', [alert.title]), [])
    assert.deepEqual(
      await soc.query("SELECT 1 FROM audit_log WHERE target = $1 AND action = 'alert.promote'", [
        `alert:${alert.id}`,
      ]),
      [],
    )
  })

  await t.test('POST /alerts/{id}/case-link links, moves and tells both timelines', async () => {
    const alert = await newAlert()
    const first = await newCase({ title: 'first' })
    const second = await newCase({ title: 'second' })
    const link = (case_id: string) =>
      soc.call('POST', `/alerts/${alert.id}/case-link`, { as, body: { case_id } })

    const linked = await link(first.id)
    assert.equal(linked.status, 200)
    assert.equal(linked.body.case_id, first.id)
    assert.equal(linked.body.status, 'investigating')
    assert.equal((await link(first.id)).status, 200)
    assert.deepEqual(actionsOf(await caseNow(first.id)), [
      'case created',
      `alert ${alert.id} linked`,
    ])

    assert.equal((await link(second.id)).body.case_id, second.id)
    assert.deepEqual((await caseNow(first.id)).alert_ids, [])
    assert.deepEqual((await caseNow(second.id)).alert_ids, [alert.id])
    assert.match(actionsOf(await caseNow(first.id)).at(-1) ?? '', /moved to case/)

    for (const caseId of [UNKNOWN, 'nope']) {
      const unknown = await link(caseId)
      assert.equal(unknown.status, 404)
      assert.equal(unknown.body.detail, `case ${caseId} not found`)
    }
    assert.equal((await alertNow(alert.id)).case_id, second.id)
  })

  await t.test('an alert that was dealt with keeps its status in a case', async () => {
    const alert = await newAlert({ status: 'closed' })
    const { alert_ids } = await newCase({ title: 'context', alert_ids: [alert.id] })
    assert.deepEqual(alert_ids, [alert.id])
    assert.equal((await alertNow(alert.id)).status, 'closed')
  })

  await t.test('promote and case-link need alerts:write and cases:write', async () => {
    const alert = await newAlert()
    const viewer = await soc.signInAs('viewer')
    for (const action of ['promote', 'case-link']) {
      const path = `/alerts/${alert.id}/${action}`
      const { status } = await soc.call('POST', path, { as: viewer, body: { case_id: UNKNOWN } })
      assert.equal(status, 403)
    }
  })
})
