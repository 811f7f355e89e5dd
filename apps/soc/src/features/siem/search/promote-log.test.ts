import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'

const EVENT = {
  id: 'promote/1',
  timestamp: '2026-03-01T10:00:00.000Z',
  source: 'sshd',
  host: 'web-01',
  severity: 'high',
  message: 'Failed password for root\nfrom 203.0.113.9',
  user: 'root',
}
const PATH = `/siem/logs/${encodeURIComponent(EVENT.id)}/promote`
const RULE = {
  name: 'Root sign-in fails',
  query: 'user:root',
  alert_severity: 'critical',
  alert_title_template: '{rule_name} on {host}',
}

test('POST /siem/logs/{id}/promote', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const as = await soc.signInAs('analyst')
  await soc.call('POST', '/siem/logs', { as: admin, body: { events: [EVENT] } })
  const promote = (body?: object, caller = as) =>
    soc.call('POST', PATH, { as: caller, ...(body ? { body } : {}) })
  const alertCount = async () => (await soc.query('SELECT * FROM alerts')).length

  await t.test('raises an alert, and the same one again', async () => {
    const first = await promote()
    assert.equal(first.status, 201)
    const { alert } = first.body
    assert.equal(first.body.case, null)
    assert.equal(alert.title, 'Failed password for root on web-01')
    assert.deepEqual(
      [alert.source, alert.severity, alert.host, alert.source_ref],
      ['sshd', 'high', 'web-01', EVENT.id],
    )
    assert.equal(alert.raw.user, 'root')
    const again = await promote({})
    assert.equal(again.status, 200)
    assert.equal(again.body.alert.id, alert.id)
    assert.equal(await alertCount(), 1)
  })

  await t.test('with create_case opens a case once', async () => {
    const first = await promote({ create_case: true })
    assert.equal(first.status, 201)
    assert.equal(first.body.alert.case_id, first.body.case.id)
    assert.deepEqual(first.body.case.alert_ids, [first.body.alert.id])
    const again = await promote({ create_case: true })
    assert.equal(again.status, 200)
    assert.equal(again.body.case.id, first.body.case.id)
  })

  await t.test('with rule_id raises what the rule would raise', async () => {
    const rule = (await soc.call('POST', '/detections/rules', { as: admin, body: RULE })).body
    const { status, body } = await promote({ rule_id: rule.id })
    assert.equal(status, 201)
    assert.deepEqual(
      [body.alert.title, body.alert.severity, body.alert.rule_id],
      ['Root sign-in fails on web-01', 'critical', rule.id],
    )
    assert.equal((await promote({ rule_id: 'unknown' })).status, 404)
  })

  await t.test('with rule_id the rule does not raise the event again', async () => {
    const body = { ...RULE, name: 'Claimed' }
    const rule = (await soc.call('POST', '/detections/rules', { as: admin, body })).body
    const { alert } = (await promote({ rule_id: rule.id })).body
    const closed = await soc.call('PATCH', `/alerts/${alert.id}`, {
      as,
      body: { status: 'closed' },
    })
    assert.equal(closed.status, 200)
    const run = await soc.call('POST', `/detections/rules/${rule.id}/run`, { as: admin })
    assert.deepEqual([run.body.total, run.body.run.alert_ids], [1, []])
    const after = (await soc.call('GET', `/alerts/${alert.id}`, { as })).body
    assert.deepEqual([after.status, after.occurrence_count], ['closed', 1])
    const events = await soc.query('SELECT log_id FROM detection_hits WHERE alert_id = $1', [
      alert.id,
    ])
    assert.deepEqual(events, [{ log_id: EVENT.id }])
  })

  await t.test('with rule_id an event that the rule has counted counts no more', async () => {
    const body = { ...RULE, name: 'Counted before' }
    const rule = (await soc.call('POST', '/detections/rules', { as: admin, body })).body
    const run = await soc.call('POST', `/detections/rules/${rule.id}/run`, { as: admin })
    const [raised] = run.body.run.alert_ids
    for (const create_case of [false, true]) {
      const again = await promote({ rule_id: rule.id, create_case }, admin)
      assert.deepEqual([again.status, again.body.alert.id], [create_case ? 201 : 200, raised])
      assert.equal(again.body.alert.occurrence_count, 1)
    }
    const { body: events } = await soc.call('GET', `/alerts/${raised}/events`, { as: admin })
    assert.equal(events.total, 1)
  })

  await t.test('with rule_id while the rule runs counts the event once', async () => {
    const body = { ...RULE, name: 'Both at once' }
    const rule = (await soc.call('POST', '/detections/rules', { as: admin, body })).body
    const [promoted] = await Promise.all([
      promote({ rule_id: rule.id }),
      ...[1, 2, 3].map(() =>
        soc.call('POST', `/detections/rules/${rule.id}/run`, { as: admin, body: {} }),
      ),
    ])
    const { alert } = promoted.body
    const { occurrence_count } = (await soc.call('GET', `/alerts/${alert.id}`, { as })).body
    assert.equal(occurrence_count, 1)
    const claims = 'SELECT count(*)::int AS n FROM detection_hits WHERE rule_id = $1'
    assert.deepEqual(await soc.query(claims, [rule.id]), [{ n: 1 }])
  })

  await t.test('an event that the rule did not find is no match of it', async () => {
    const body = { ...RULE, name: 'Not found by it', query: 'user:nobody' }
    const rule = (await soc.call('POST', '/detections/rules', { as: admin, body })).body
    assert.equal((await promote({ rule_id: rule.id })).status, 201)
    const { body: metrics } = await soc.call('GET', '/detections/metrics', { as: admin })
    const counted = metrics.top_rules_by_matches.map((one: { rule_id: string }) => one.rule_id)
    assert.ok(!counted.includes(rule.id), JSON.stringify(metrics))
  })

  await t.test('is 409 under an active suppression and creates nothing', async () => {
    const body = { ...RULE, name: 'Held back' }
    const rule = (await soc.call('POST', '/detections/rules', { as: admin, body })).body
    const suppression = {
      name: 'lab',
      reason: 'a test',
      criteria: { host: 'web-*' },
      suppress_for_hours: 1,
    }
    const made = await soc.call('POST', `/detections/rules/${rule.id}/suppressions`, {
      as: admin,
      body: suppression,
    })
    assert.equal(made.status, 201)
    const before = await alertCount()
    const { status, body: answer } = await promote({ rule_id: rule.id, create_case: true })
    assert.equal(status, 409)
    assert.match(answer.detail, /suppression "lab"/)
    assert.equal(await alertCount(), before)
    assert.equal((await promote()).status, 200)
  })

  await t.test('keeps what PostgreSQL cannot hold out of the alert', async () => {
    const odd = { id: 'odd', message: `${'x'.repeat(199)}\u{1f600}`, fields: { 'a.b': 'nul \0' } }
    await soc.call('POST', '/siem/logs', { as: admin, body: { events: [odd] } })
    const { status, body } = await soc.call('POST', '/siem/logs/odd/promote', { as })
    assert.equal(status, 201)
    assert.ok(body.alert.title.isWellFormed())
    assert.equal(body.alert.raw.fields['a.b'], 'nul \ufffd')
  })

  await t.test('of an unknown event is 404, with another body 400', async () => {
    assert.equal((await soc.call('POST', '/siem/logs/nobody/promote', { as })).status, 404)
    assert.equal((await promote({ create_case: 'yes' })).status, 400)
    assert.equal((await promote({ note: 'x' })).status, 400)
  })

  await t.test('needs alerts:write, and cases:write for a case', async () => {
    const viewer = await soc.signInAs('viewer')
    assert.equal((await promote({}, viewer)).status, 403)
    const made = await soc.call('POST', '/users/admin/api-keys', {
      as: admin,
      body: { name: 'alerts only', scopes: ['alerts:write'] },
    })
    const withKey = (body: object) =>
      soc.call('POST', PATH, { headers: { 'x-api-key': made.body.key }, body })
    assert.equal((await withKey({ create_case: true })).status, 403)
    assert.equal((await withKey({})).status, 200)
  })
})

test('promoting in dry_run shows the alert and stores none', async (t) => {
  const soc = await startTestSoc(t, { mode: 'dry_run' })
  const as = await soc.signIn()
  await soc.call('POST', '/siem/logs', { as, body: { events: [EVENT] } })
  const { status, body } = await soc.call('POST', PATH, { as, body: { create_case: true } })
  assert.equal(status, 200)
  assert.equal(body.preview, true)
  assert.equal(body.case.title, body.alert.title)
  assert.deepEqual(await soc.query('SELECT * FROM alerts'), [])
})
