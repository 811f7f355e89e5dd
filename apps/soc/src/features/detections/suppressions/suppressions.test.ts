import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('suppressions, feedback and metrics', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const call = (method: string, path: string, body?: unknown, token = as) =>
    soc.call(method, path, { as: token, body })
  const send = async (...events: object[]) => {
    const reply = await call('POST', '/siem/logs', { events })
    assert.equal(reply.body.accepted, events.length, JSON.stringify(reply.body))
  }
  // By hand alone: a rule that is on may have found the same before.
  const create = async (body: object) => {
    const rule = { name: 'Rule', enabled: false, ...body }
    const reply = await call('POST', '/detections/rules', rule)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body
  }
  const run = async (id: string) => (await call('POST', `/detections/rules/${id}/run`)).body
  const suppress = async (id: string, body: object) => {
    const path = `/detections/rules/${id}/suppressions`
    const reply = await call('POST', path, { name: 'Known', reason: 'a scanner of ours', ...body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return { ...reply.body, path: `${path}/${reply.body.id}` }
  }

  await t.test('a suppression says who, why and until when', async () => {
    const rule = await create({ query: 'kind:who' })
    const before = Date.now()
    const { path, ...made } = await suppress(rule.id, {
      criteria: { host: ['a', 'b-*'], src_ip: '10.0.0.0/8' },
      suppress_for_hours: 2,
    })
    const { id, expires_at, created_at, updated_at, ...rest } = made
    assert.deepEqual(rest, {
      rule_id: rule.id,
      name: 'Known',
      reason: 'a scanner of ours',
      criteria: { host: ['a', 'b-*'], src_ip: '10.0.0.0/8' },
      suppress_for_hours: 2,
      is_active: true,
      held_count: 0,
      last_held_at: null,
      created_by: 'admin',
    })
    assert.ok(Date.parse(expires_at) >= before + 2 * 3_600_000)
    assert.ok(created_at <= updated_at)
    assert.deepEqual((await call('GET', path)).body, made)
    const list = await call('GET', `/detections/rules/${rule.id}/suppressions?active=true`)
    assert.deepEqual(list.body.items, [made])
    const viewer = await soc.signInAs('viewer')
    assert.equal((await call('GET', path, undefined, viewer)).status, 403)
    const listed = await call('GET', path.slice(0, path.lastIndexOf('/')), undefined, viewer)
    assert.equal(listed.body.total, 1)
    const { body } = await call('PATCH', path, { suppress_for_hours: 5, name: 'Longer' })
    assert.deepEqual([body.name, body.suppress_for_hours], ['Longer', 5])
    assert.ok(body.expires_at > expires_at)
    assert.deepEqual((await call('DELETE', path)).body, { deleted: true, id })
    assert.equal((await call('GET', path)).status, 404)
    const actions = await soc.query<{ action: string }>(
      'SELECT action FROM audit_log WHERE target = $1 ORDER BY id',
      [`suppression:${id}`],
    )
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['suppression.create', 'suppression.update', 'suppression.delete'],
    )
  })

  await t.test('a body that is not a suppression is 400 and names the field', async () => {
    const rule = await create({ query: 'x' })
    const good = { name: 'x', reason: 'y', criteria: { host: 'a' }, suppress_for_hours: 1 }
    for (const [body, field] of [
      [{ ...good, name: '' }, 'name'],
      [{ ...good, criteria: {} }, 'criteria'],
      [{ ...good, criteria: undefined }, 'criteria'],
      [{ ...good, criteria: { host: [] } }, 'criteria.host'],
      [{ ...good, criteria: { host: { is: 'a' } } }, 'criteria.host'],
      [{ ...good, suppress_for_hours: 0 }, 'suppress_for_hours'],
      [{ ...good, suppress_for_hours: 1.5 }, 'suppress_for_hours'],
      [{ ...good, held_count: 3 }, 'held_count'],
    ] as const) {
      const reply = await call('POST', `/detections/rules/${rule.id}/suppressions`, body)
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
    }
  })

  await t.test(
    'what is suppressed is counted and raises nothing, until the suppression ends',
    async () => {
      await send(
        { kind: 'held', host: 'web-1', src_ip: '10.1.2.3' },
        { kind: 'held', host: 'web-2', src_ip: '10.9.9.9' },
        { kind: 'held', host: 'web-1', src_ip: '192.0.2.1' },
      )
      const rule = await create({ query: 'kind:held', alert_title_template: 'Held {host}' })
      const { path } = await suppress(rule.id, {
        criteria: { host: 'web-*', src_ip: '10.0.0.0/8' },
      })
      const answer = await run(rule.id)
      assert.deepEqual([answer.total, answer.suppressed_count], [1, 2])
      assert.deepEqual([answer.run.match_count, answer.run.suppressed_count], [1, 2])
      assert.equal(answer.logs[0].src_ip, '192.0.2.1')
      const total = async () => (await call('GET', `/alerts?rule_id=${rule.id}`)).body.total
      assert.equal(await total(), 1)
      await run(rule.id)
      const { body: held } = await call('GET', path)
      assert.equal(held.held_count, 2, 'the same events again are not held back twice')
      assert.ok(held.last_held_at)

      await soc.query(
        "UPDATE detection_suppressions SET expires_at = now() - interval '1 s' WHERE id = $1",
        [held.id],
      )
      assert.equal((await call('GET', path)).body.is_active, false)
      const after = await run(rule.id)
      assert.deepEqual([after.total, after.suppressed_count], [3, 0])
      assert.equal(await total(), 2)
    },
  )

  await t.test('feedback is kept, and a false positive offers a ready suppression', async () => {
    await send({ id: 'fp-1', kind: 'fp', host: 'pc-7', user: 'svc', process: 'backup.exe' })
    const rule = await create({ name: 'Backup', query: 'kind:fp' })
    const path = `/detections/rules/${rule.id}/feedback`
    const [alertId] = (await run(rule.id)).run.alert_ids
    const good = await call('POST', path, { verdict: 'true_positive', alert_id: alertId })
    assert.equal(good.status, 201)
    assert.equal(good.body.suggested_suppression, null)
    const bad = await call('POST', path, {
      verdict: 'false_positive',
      alert_id: alertId,
      case_id: null,
      notes: 'the nightly backup',
      metadata: { ticket: 7 },
    })
    assert.equal(bad.status, 201)
    const { suggested_suppression, ...feedback } = bad.body
    assert.deepEqual(suggested_suppression, {
      name: 'False positive: Backup',
      reason: 'the nightly backup',
      criteria: { host: 'pc-7', user: 'svc', process: 'backup.exe' },
      suppress_for_hours: 168,
    })
    assert.equal(feedback.siem_log_id, null)
    assert.deepEqual(feedback.metadata, { ticket: 7 })
    const list = await call('GET', `${path}?verdict=false_positive`)
    assert.deepEqual(list.body.items, [feedback])
    const byLog = await call('POST', path, { verdict: 'false_positive', siem_log_id: 'fp-1' })
    assert.deepEqual(byLog.body.suggested_suppression.criteria, suggested_suppression.criteria)
    const gone = await call('POST', path, { verdict: 'false_positive', siem_log_id: 'never' })
    assert.deepEqual([gone.status, gone.body.suggested_suppression], [201, null])

    await suppress(rule.id, suggested_suppression)
    assert.deepEqual([(await run(rule.id)).total, (await run(rule.id)).suppressed_count], [0, 1])
    assert.equal((await call('POST', path, { verdict: 'maybe' })).status, 400)
  })

  await t.test('GET /detections/metrics has the fields of the contract', async (t) => {
    const own = await startTestSoc(t)
    const token = await own.signIn()
    const ask = (method: string, path: string, body?: unknown) =>
      own.call(method, path, { as: token, body })
    await ask('POST', '/siem/logs', { events: [{ kind: 'm' }, { kind: 'm', host: 'quiet' }] })
    // What still waits to be looked at when a rule is made is data for it.
    await until('it was looked at', async () => {
      const { body } = await own.http.inject('/metrics')
      return /^soc_stream_delay_seconds 0$/m.test(body)
    })
    const rules = await Promise.all(
      [
        { name: 'A', query: 'kind:m', schedule_enabled: true },
        { name: 'B', query: 'kind:none' },
        { name: 'C', query: 'kind:m', enabled: false, schedule_enabled: true },
      ].map(async (body) => (await ask('POST', '/detections/rules', body)).body),
    )
    const [first] = rules
    const path = `/detections/rules/${first.id}`
    await ask('POST', `${path}/suppressions`, { name: 'x', criteria: { host: 'quiet' } })
    for (const { id } of rules) await ask('POST', `/detections/rules/${id}/run`)
    await ask('POST', `${path}/feedback`, { verdict: 'false_positive' })
    await ask('POST', `${path}/feedback`, { verdict: 'needs_tuning' })
    const { status, body } = await ask('GET', '/detections/metrics')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      total_rules: 3,
      enabled_rules: 2,
      scheduled_rules: 1,
      rules_without_data: 2,
      runs_24h: 3,
      matches_24h: 3,
      suppressed_24h: 1,
      top_rules_by_matches: [
        { rule_id: rules[2].id, name: 'C', matches: 2 },
        { rule_id: first.id, name: 'A', matches: 1 },
      ],
      noisiest_rules: [{ rule_id: first.id, name: 'A', false_positives: 1 }],
    })
  })
})
