import assert from 'node:assert/strict'
import { test } from 'node:test'
import { severablePostgres } from '../../../testing/severable-postgres.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const RULE = {
  name: 'Failed passwords',
  query: '"failed password" AND NOT user:monitor',
  alert_severity: 'high',
  alert_title_template: '{rule_name} on {host}',
}

test('detection rules', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const kim = await soc.signInAs('detection_engineer', 'kim')
  const lee = await soc.signInAs('detection_engineer', 'lee')
  const call = (method: string, path: string, body?: unknown, as = kim) =>
    soc.call(method, `/detections${path}`, { as, body })
  const create = async (body: object = {}) => {
    const reply = await call('POST', '/rules', { ...RULE, ...body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body
  }
  const send = async (...events: object[]) => {
    const reply = await soc.call('POST', '/siem/logs', { as: admin, body: { events } })
    assert.equal(reply.body.accepted, events.length, JSON.stringify(reply.body))
  }

  await t.test('POST /detections/rules answers 201 with every field of the record', async () => {
    const before = Date.now()
    const {
      id,
      created_by_id: _maker,
      next_run_at,
      created_at,
      updated_at,
      ...rule
    } = await create({
      description: 'Somebody guesses',
      source: 'sshd',
      host: 'web-*',
      match_severity: 'low',
      alert_description_template: '{message}',
      auto_create_case: true,
      schedule_enabled: true,
      schedule_interval_minutes: 15,
      mitre_techniques: ['t1110.001'],
      sharing_mode: 'roles',
      shared_with_roles: ['analyst'],
      tags: ['linux'],
    })
    assert.deepEqual(rule, {
      name: 'Failed passwords',
      description: 'Somebody guesses',
      query: RULE.query,
      source: 'sshd',
      host: 'web-*',
      match_severity: 'low',
      alert_severity: 'high',
      alert_title_template: '{rule_name} on {host}',
      alert_description_template: '{message}',
      auto_create_case: true,
      schedule_enabled: true,
      schedule_interval_minutes: 15,
      mitre_techniques: ['T1110.001'],
      sharing_mode: 'roles',
      shared_with_roles: ['analyst'],
      tags: ['linux'],
      kind: 'query',
      threshold: null,
      new_terms: null,
      sequence: null,
      enabled: true,
      external_id: null,
      sigma: null,
      warnings: [],
      source_events: 0,
      last_source_event_at: null,
      unrecorded_hits: 0,
      capped_at: null,
      version: 1,
      last_run_at: null,
      created_by: 'kim',
    })
    assert.match(next_run_at, /(Z|[+-]\d\d:\d\d)$/)
    assert.ok(Date.parse(next_run_at) >= before + 15 * 60_000)
    assert.equal(created_at, updated_at)
    assert.deepEqual((await call('GET', `/rules/${id}`)).body.id, id)
  })

  await t.test('a body that is not a rule is 400 and names the field', async () => {
    const bad: [object, string][] = [
      [{ name: ' ' }, 'name'],
      [{ query: undefined }, 'query'],
      [{ alert_severity: 'urgent' }, 'alert_severity'],
      [{ match_severity: 'urgent' }, 'match_severity'],
      [{ match_severity: 'x*' }, 'match_severity'],
      [{ match_severity: '10.0.0.0/8' }, 'match_severity'],
      [{ schedule_interval_minutes: 0 }, 'schedule_interval_minutes'],
      [{ schedule_interval_minutes: 10_081 }, 'schedule_interval_minutes'],
      [{ schedule_interval_minutes: '5' }, 'schedule_interval_minutes'],
      [{ sharing_mode: 'everyone' }, 'sharing_mode'],
      [{ sharing_mode: 'roles' }, 'shared_with_roles'],
      [{ shared_with_roles: ['wizard'] }, 'shared_with_roles.0'],
      [{ next_run_at: '2026-01-01T00:00:00Z' }, 'next_run_at'],
      [{ mitre_techniques: ['T1110', 'T9999'] }, 'mitre_techniques'],
      [{ kind: 'threshold' }, 'threshold'],
      [{ threshold: { count: 2, window_seconds: 5 } }, 'threshold'],
      [{ kind: 'threshold', threshold: { count: 1, window_seconds: 5 } }, 'threshold.count'],
      [
        {
          kind: 'sequence',
          sequence: { steps: [{ query: 'a' }, { query: '(b' }], window_seconds: 5 },
        },
        'sequence.steps.1.query',
      ],
    ]
    for (const [fields, name] of bad) {
      const { status, body } = await call('POST', '/rules', { ...RULE, ...fields })
      assert.equal(status, 400, JSON.stringify(fields))
      assert.ok(body.detail.startsWith(`${name}: `), body.detail)
    }
    const { body } = await call('POST', '/rules', { ...RULE, mitre_techniques: ['T9999'] })
    assert.match(body.detail, /T9999/)
  })

  await t.test(
    'match_severity takes what events can have, and one of before may stay',
    async () => {
      for (const match_severity of ['HIGH', 'h*', '*', '', null]) {
        assert.equal((await create({ match_severity })).match_severity, match_severity)
      }
      const { id } = await create()
      const patch = (body: object) => call('PATCH', `/rules/${id}`, body)
      assert.match(
        (await patch({ match_severity: 'urgent' })).body.detail,
        /^match_severity: must be/,
      )
      await soc.query(`UPDATE detection_rules SET match_severity = 'of before' WHERE id = $1`, [id])
      assert.equal((await patch({ description: 'x' })).body.match_severity, 'of before')
      assert.equal((await patch({ match_severity: 'low' })).body.match_severity, 'low')
    },
  )

  await t.test('a query that cannot be read is 400 with the column', async () => {
    const { status, body } = await call('POST', '/rules', {
      ...RULE,
      query: 'host:web AND (user:x',
    })
    assert.equal(status, 400)
    assert.match(body.detail, /^query: .* at column 14;/)
  })

  await t.test('unknown placeholders are kept and told in warnings', async () => {
    await send({ message: 'seen', fields: { SeenField: 'x' } })
    const rule = await create({
      query: 'CommandLine:*whoami*',
      alert_title_template: '{rule_name} {CommandLine} {SeenField} {Nowhere}',
      alert_description_template: '{message} {user} {process.nme}',
    })
    const warned = async (...templates: string[]): Promise<string[]> => {
      const [alert_title_template, alert_description_template] = templates
      const body = { alert_title_template, alert_description_template }
      const { warnings } = (await call('PATCH', `/rules/${rule.id}`, body)).body
      return warnings.flatMap((warning: string) => /\{.*?\}/.exec(warning)?.[0] ?? [])
    }
    await until('names of stored events are known', async () => (await warned('{No}')).length > 0)
    assert.deepEqual(await warned(rule.alert_title_template, rule.alert_description_template), [
      '{Nowhere}',
      '{process.nme}',
    ])
    assert.deepEqual(await warned('{CommandLine}', ''), [])
    const threshold = { count: 2, window_seconds: 60, distinct_field: 'Counted' }
    const counted = await create({
      kind: 'sequence',
      sequence: { steps: [{ query: 'a', threshold }, { query: 'b' }], window_seconds: 60 },
      alert_title_template: '{Counted} {Nowhere}',
    })
    assert.match(counted.warnings.join(), /^unknown placeholder \{Nowhere\}[^{]*$/)
  })

  await t.test('PATCH changes what it names, and 409 tells a stale version', async () => {
    const rule = await create()
    const patch = (body: object) => call('PATCH', `/rules/${rule.id}`, body)
    assert.equal(rule.next_run_at, null)
    const { body } = await patch({ schedule_enabled: true, tags: ['x'], version: 1 })
    assert.equal(body.version, 2)
    assert.deepEqual(body.tags, ['x'])
    assert.equal(body.name, rule.name)
    assert.ok(body.next_run_at)
    assert.equal((await patch({ name: 'y', version: 1 })).status, 409)
    assert.equal((await patch({ enabled: false })).body.next_run_at, null)
    assert.equal((await patch({})).status, 400)
    assert.equal((await patch({ query: '(' })).status, 400)
    assert.equal((await patch({ kind: 'threshold' })).status, 400)
    const audit = await soc.query<{ before: object; after: object }>(
      `SELECT before, after FROM audit_log WHERE action = 'rule.update' AND target = $1
       ORDER BY id LIMIT 1`,
      [`rule:${rule.id}`],
    )
    assert.deepEqual(audit, [
      {
        before: { schedule_enabled: false, tags: [] },
        after: { schedule_enabled: true, tags: ['x'] },
      },
    ])
  })

  await t.test('a rule that is saved as it is stays the same version', async () => {
    const rule = await create({ name: 'Saved again', mitre_techniques: ['t1110'] })
    const { name, query, enabled } = rule
    const same = { name, query, enabled, mitre_techniques: ['t1110'], host: null, threshold: null }
    assert.deepEqual((await call('PATCH', `/rules/${rule.id}`, same)).body, rule)
    const told = await soc.query('SELECT 1 FROM audit_log WHERE action = $1 AND target = $2', [
      'rule.update',
      `rule:${rule.id}`,
    ])
    assert.deepEqual(told, [])
  })

  await t.test('a rule is seen by those it is shared with', async () => {
    const ana = await soc.signInAs('analyst', 'ana')
    const secret = await create({ name: 'private', sharing_mode: 'private' })
    const roles = await create({
      name: 'roles',
      sharing_mode: 'roles',
      shared_with_roles: ['analyst'],
    })
    const status = async (id: string, as: string) =>
      (await call('GET', `/rules/${id}`, undefined, as)).status
    assert.deepEqual(
      await Promise.all([kim, lee, ana, admin].map((as) => status(secret.id, as))),
      [200, 404, 404, 200],
    )
    assert.deepEqual(
      await Promise.all([kim, lee, ana, admin].map((as) => status(roles.id, as))),
      [200, 404, 200, 200],
    )
    const listed = await call('GET', '/rules?limit=200', undefined, lee)
    const names = listed.body.items.map(({ name }: { name: string }) => name)
    assert.ok(!names.includes('private') && !names.includes('roles'))
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', '', undefined],
      ['POST', '/run', {}],
      ['GET', '/runs', undefined],
      ['GET', '/suppressions', undefined],
      ['POST', '/suppressions', { name: 'x', criteria: { host: 'a' } }],
      ['POST', '/feedback', { verdict: 'true_positive' }],
    ] as const) {
      const reply = await call(method, `/rules/${secret.id}${path}`, body, lee)
      assert.equal(reply.status, 404, `${method} ${path}`)
    }
  })

  await t.test('an unknown or malformed id is 404 on every route', async () => {
    for (const id of [UNKNOWN, 'nope', '%00', "'%20OR%201=1"]) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', '', undefined],
        ['POST', '/run', undefined],
        ['GET', '/runs', undefined],
        ['GET', '/suppressions', undefined],
        ['GET', `/suppressions/${UNKNOWN}`, undefined],
        ['GET', '/feedback', undefined],
      ] as const) {
        assert.equal((await call(method, `/rules/${id}${path}`, body)).status, 404, path)
      }
    }
  })

  await t.test('GET /detections/rules filters and pages', async () => {
    for (let count = 0; count < 5; count += 1) {
      await create({ name: `Paged ${count}`, tags: ['paged'], mitre_techniques: ['T1059'] })
    }
    const first = (await call('GET', '/rules?tag=paged&limit=2')).body
    assert.deepEqual([first.total, first.has_more, first.items.length], [5, true, 2])
    assert.equal(first.items[0].name, 'Paged 4')
    const next = (await call('GET', `/rules?tag=paged&limit=2&cursor=${first.next_cursor}`)).body
    assert.equal(next.items[0].name, 'Paged 2')
    const totals = async (filter: string) => (await call('GET', `/rules?${filter}`)).body.total
    assert.equal(await totals('technique=T1059'), 5)
    assert.equal(await totals('q=paged%203'), 1)
    assert.equal(await totals('tag=paged&kind=sequence'), 0)
    assert.equal(await totals('tag=paged&enabled=false'), 0)
    assert.equal((await call('GET', '/rules?enabled=maybe')).status, 400)
  })

  await t.test('DELETE removes the rule with what belongs to it', async () => {
    const rule = await create()
    await call('POST', `/rules/${rule.id}/suppressions`, { name: 'x', criteria: { host: 'a' } })
    const { status, body } = await call('DELETE', `/rules/${rule.id}`)
    assert.deepEqual([status, body], [200, { deleted: true, id: rule.id }])
    assert.equal((await call('GET', `/rules/${rule.id}`)).status, 404)
  })

  await t.test('in dry_run a change is a preview, and a manual run is stored', async (t) => {
    const made = await create({ name: 'Rehearsed' })
    const dry = await startTestSoc(t, { connection: soc.connection, mode: 'dry_run' })
    const ask = (method: string, path: string, body?: object) =>
      dry.call(method, path, { as: admin, body })
    const preview = await ask('POST', '/detections/rules', RULE)
    assert.deepEqual([preview.status, preview.body.preview], [200, true])
    await ask('POST', '/siem/logs', {
      events: [{ message: 'Failed password for root', host: 'web-1' }],
    })
    const path = `/detections/rules/${made.id}`
    const { status, body } = await ask('POST', `${path}/run`)
    assert.deepEqual([status, body.total, body.preview], [200, 1, undefined])
    assert.equal((await ask('GET', `${path}/runs`)).body.total, 1)
    assert.equal((await ask('GET', `/alerts?rule_id=${made.id}`)).body.total, 1)
  })

  await t.test('in dummy every change and every run is 409', async (t) => {
    const rule = await create()
    const dummy = await startTestSoc(t, { connection: soc.connection, mode: 'dummy' })
    for (const [method, path, body] of [
      ['POST', '', RULE],
      ['PATCH', `/${rule.id}`, { name: 'x' }],
      ['DELETE', `/${rule.id}`, undefined],
      ['POST', `/${rule.id}/run`, undefined],
      ['POST', `/${rule.id}/feedback`, { verdict: 'true_positive' }],
    ] as const) {
      const reply = await dummy.call(method, `/detections/rules${path}`, { as: admin, body })
      assert.equal(reply.status, 409, `${method} ${path}`)
    }
    const shown = await dummy.call('GET', `/detections/rules/${rule.id}`, { as: admin })
    assert.equal(shown.status, 200)
  })
})

test('dummy without a database shows the rules of the showcase', async (t) => {
  const line = await severablePostgres(t)
  const soc = await startTestSoc(t, { mode: 'dummy', connection: line.connection })
  const as = await soc.signIn()
  await line.cut()
  const get = async (path: string) => (await soc.call('GET', `/detections${path}`, { as })).body
  await until('the showcase', async () => (await get('/rules')).total > 0)
  const { items } = await get('/rules?technique=T0855')
  assert.deepEqual(
    items.map(({ source }: { source: string }) => source),
    ['modbus'],
  )
  assert.deepEqual(await get(`/rules/${items[0].id}`), items[0])
  assert.equal((await get(`/rules/${items[0].id}/runs`)).total, 0)
  assert.equal((await get('/metrics')).total_rules, (await get('/rules')).total)
})
