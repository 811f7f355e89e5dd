import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const MALFORMED = ['nope', '%00', "'%20OR%201=1", '1'.repeat(300)]

test('alerts', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('analyst', 'kim')
  const post = (body: unknown) => soc.call('POST', '/alerts', { as: kim, body })
  const get = (path: string) => soc.call('GET', path, { as: kim })

  await t.test('POST /alerts answers 201 with every field of the record', async () => {
    const { status, body } = await post({
      title: 'Brute force',
      source: 'auth',
      severity: 'high',
      iocs: ['10.0.0.7', '10.0.0.10'],
      host: 'web-1',
      raw: { EventID: 4625 },
    })
    assert.equal(status, 201)
    const { id, first_seen_at, last_seen_at, created_at, updated_at, ...rest } = body
    assert.match(id, /^[0-9a-f-]{36}$/)
    for (const time of [first_seen_at, last_seen_at, created_at, updated_at]) {
      assert.equal(new Date(time).toISOString(), time)
    }
    assert.deepEqual(rest, {
      title: 'Brute force',
      description: null,
      source: 'auth',
      source_ref: null,
      severity: 'high',
      status: 'new',
      resolution: null,
      iocs: ['10.0.0.7', '10.0.0.10'],
      host: 'web-1',
      site_id: null,
      assignee: null,
      tags: [],
      rule_id: null,
      mitre_techniques: [],
      dedup_hash: 'b878fbc3ca10f9351d61e2220b918b71e0dcc274c7cfefac44344aff452a02f1',
      occurrence_count: 1,
      acknowledged_by: null,
      acknowledged_at: null,
      closed_by: null,
      closed_at: null,
      reopened_count: 0,
      reopened_at: null,
      case_id: null,
      raw: { EventID: 4625 },
    })
  })

  await t.test('the same title, source and IOCs again is 200 with the existing alert', async () => {
    const { status, body } = await post({
      title: 'Brute force',
      source: 'auth',
      severity: 'low',
      iocs: ['10.0.0.10', '10.0.0.7'],
    })
    assert.equal(status, 200)
    assert.equal(body.occurrence_count, 2)
    assert.equal(body.severity, 'high')
    assert.ok(body.last_seen_at >= body.first_seen_at)
    assert.deepEqual((await get(`/alerts/${body.id}`)).body, body)
  })

  await t.test('200 equal posts at once make one row that counts all of them', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => post({ title: 'Flood', source: 'ids', iocs: ['a', 'b'] })),
    )
    assert.deepEqual(
      [201, 200].map((code) => replies.filter(({ status }) => status === code).length),
      [1, 199],
    )
    assert.equal(new Set(replies.map(({ body }) => body.id)).size, 1)
    const counts = replies.map(({ body }) => body.occurrence_count).sort((a, b) => a - b)
    assert.deepEqual(
      counts,
      Array.from({ length: 200 }, (_, index) => index + 1),
    )
    const rows = await soc.query<{ occurrence_count: number }>(
      "SELECT occurrence_count FROM alerts WHERE title = 'Flood'",
    )
    assert.deepEqual(rows, [{ occurrence_count: 200 }])
  })

  await t.test('a body that is not an alert is 400 and names the field', async () => {
    const good = { title: 'x', source: 'y' }
    const bad: [unknown, string][] = [
      [{ source: 'y' }, 'title'],
      [{ ...good, title: ' ' }, 'title'],
      [{ title: 'x' }, 'source'],
      [{ ...good, severity: 'urgent' }, 'severity'],
      [{ ...good, status: 'open' }, 'status'],
      [{ ...good, iocs: '10.0.0.1' }, 'iocs'],
      [{ ...good, iocs: [7] }, 'iocs.0'],
      [{ ...good, title: 'a\0b' }, 'title'],
      [{ ...good, title: '\ud800' }, 'title'],
      [{ ...good, raw: { deep: ['a\0b'] } }, 'raw'],
      [{ ...good, occurrence_count: 5 }, 'occurrence_count'],
      [[], 'body'],
      [undefined, 'body'],
    ]
    for (const [body, field] of bad) {
      const reply = await post(body)
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.deepEqual(Object.keys(reply.body), ['detail'])
      assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
    }
  })

  await t.test('POST /alerts with a first_seen_at after its last_seen_at is 400', async () => {
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
    const seen = { title: 'Seen', source: 'edr' }
    const refused = await post({ ...seen, first_seen_at: late, last_seen_at: early })
    assert.equal(refused.status, 400, JSON.stringify(refused.body))
    assert.match(refused.body.detail, /^first_seen_at: /)
    const once = await post({ ...seen, first_seen_at: early, last_seen_at: early })
    assert.equal(once.status, 201)
    const ended = await post({ ...seen, title: 'Its end is known', last_seen_at: early })
    assert.deepEqual([ended.body.first_seen_at, ended.body.last_seen_at], [early, early])
  })

  await t.test('an unknown or malformed id is 404 on every route', async () => {
    for (const id of [UNKNOWN, ...MALFORMED]) {
      const calls: [string, string, unknown][] = [
        ['GET', `/alerts/${id}`, undefined],
        ['PATCH', `/alerts/${id}`, { status: 'closed' }],
        ['POST', `/alerts/${id}/promote`, {}],
        ['POST', `/alerts/${id}/case-link`, { case_id: UNKNOWN }],
      ]
      for (const [method, path, body] of calls) {
        const reply = await soc.call(method, path, { as: kim, body })
        assert.equal(reply.status, 404, `${method} ${path}`)
        assert.equal(typeof reply.body.detail, 'string')
      }
    }
  })

  await t.test('PATCH /alerts/{id} changes the status and the audit log says who', async () => {
    const { body: alert } = await post({ title: 'Triage me', source: 'edr' })
    const { status, body } = await soc.call('PATCH', `/alerts/${alert.id}`, {
      as: kim,
      body: { status: 'resolved', resolution: 'false positive' },
    })
    assert.equal(status, 200)
    assert.equal(body.status, 'resolved')
    assert.equal(body.resolution, 'false positive')
    assert.ok(body.updated_at >= alert.updated_at)
    assert.deepEqual(
      await soc.query(
        `SELECT actor, before, after FROM audit_log
         WHERE action = 'alert.update' AND target = $1`,
        [`alert:${alert.id}`],
      ),
      [
        {
          actor: 'kim',
          before: { status: 'new', resolution: null },
          after: { status: 'resolved', resolution: 'false positive' },
        },
      ],
    )
  })

  await t.test(
    'PATCH refuses what an alert is known by, an unknown status and nothing',
    async () => {
      const { body: alert } = await post({ title: 'Fixed', source: 'edr' })
      for (const [body, field] of [
        [{ title: 'Other' }, 'title'],
        [{ status: 'done' }, 'status'],
        [{}, 'body'],
      ] as const) {
        const reply = await soc.call('PATCH', `/alerts/${alert.id}`, { as: kim, body })
        assert.equal(reply.status, 400)
        assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
      }
    },
  )

  await t.test('POST /alerts/bulk by ids is all or nothing', async () => {
    const ids: string[] = []
    for (const title of ['b1', 'b2', 'b3'])
      ids.push((await post({ title, source: 'bulk' })).body.id)
    const bulk = (body: unknown) => soc.call('POST', '/alerts/bulk', { as: kim, body })

    assert.equal((await bulk({ ids: [...ids, UNKNOWN], status: 'closed' })).status, 404)
    assert.equal((await bulk({ ids: [...ids, 'nope'], status: 'closed' })).status, 404)
    assert.equal((await get('/alerts?source=bulk&status=closed')).body.total, 0)

    const done = await bulk({ ids: ids.slice(0, 2), status: 'closed', resolution: 'noise' })
    assert.deepEqual(done.body, {
      ...{ matched: 2, updated: 2, status: 'closed' },
      before: { new: ids.slice(0, 2) },
    })
    const { body: closed } = await get('/alerts?source=bulk&status=closed')
    assert.deepEqual(
      closed.items.map((alert: { resolution: string }) => alert.resolution),
      ['noise', 'noise'],
    )
    assert.deepEqual((await bulk({ filter: { source: 'bulk' }, status: 'closed' })).body, {
      ...{ matched: 3, updated: 1, status: 'closed' },
      before: { new: ids.slice(2) },
    })
    const filter = { source: 'bulk', status: 'closed,resolved' }
    // As many as can be changed at once can be left out.
    const others = Array.from({ length: 2_000 }, () => UNKNOWN)
    const except = [...others, ...ids.slice(0, 2)]
    const left = await bulk({ filter, except, status: 'triaged' })
    assert.deepEqual([left.body.matched, left.body.before], [1, { closed: ids.slice(2) }])

    // More than one change can be of is changed in parts, each of those that are left.
    const part = () => bulk({ filter: { source: 'bulk' }, most: 2, status: 'resolved' })
    const parts = [await part(), await part(), await part()]
    assert.deepEqual(
      parts.map(({ body }) => [body.updated, body.has_more]),
      [
        [2, true],
        [1, false],
        [0, false],
      ],
    )
  })

  await t.test('an empty assignee is nobody', async () => {
    const alert = { title: 'Of nobody', source: 'spelled', assignee: '' }
    const posted = (await soc.call('POST', '/alerts', { as: kim, body: alert })).body
    assert.equal(posted.assignee, null)
    const patch = (assignee: string) =>
      soc.call('PATCH', `/alerts/${posted.id}`, { as: kim, body: { assignee } })
    assert.equal((await patch('kim')).body.assignee, 'kim')
    assert.equal((await patch('')).body.assignee, null)
  })

  await t.test('the assignee is the user of that name in any letter case', async () => {
    const alert = { title: 'Spelled', source: 'spelled', assignee: 'KIM' }
    const { body: posted } = await post(alert)
    assert.equal(posted.assignee, 'kim')
    const patch = (assignee: string) =>
      soc.call('PATCH', `/alerts/${posted.id}`, { as: kim, body: { assignee } })
    assert.equal((await patch('Kim')).body.assignee, 'kim')
    const found = async (assignee: string) => (await get(`/alerts?assignee=${assignee}`)).body.total
    assert.equal(await found('kIm'), 1)
    const filter = { assignee: 'KIM', source: 'spelled' }
    const bulk = await soc.call('POST', '/alerts/bulk', {
      ...{ as: kim, body: { filter, status: 'triaged' } },
    })
    assert.equal(bulk.body.updated, 1)
    assert.equal((await patch('Nobody@example.org')).body.assignee, 'Nobody@example.org')
    // As a version before has stored it.
    await soc.query(`UPDATE alerts SET assignee = 'KIM' WHERE id = $1`, [posted.id])
    assert.equal(await found('KIM'), 1)
  })

  await t.test('an alert is of its rule however the id of the rule was spelled', async () => {
    const rule = '01a1f171-e6a9-7991-87aa-b441013d5d8e'
    const inCapitals = rule.toUpperCase()
    const of = async (id: string) => (await get(`/alerts?rule_id=${id}`)).body.items
    const { body: posted } = await post({
      title: 'Of a rule',
      source: 'capitals',
      rule_id: inCapitals,
    })
    assert.equal(posted.rule_id, rule)
    assert.deepEqual(await of(rule), [posted])
    assert.deepEqual(await of(inCapitals), [posted])
  })

  await t.test('POST /alerts/bulk wants ids or a filter, and never means all', async () => {
    for (const [body, field] of [
      [{ status: 'closed' }, 'ids'],
      [{ ids: [UNKNOWN], filter: { source: 'x' }, status: 'closed' }, 'ids'],
      [{ filter: {}, status: 'closed' }, 'filter'],
      [{ filter: { severity: 'urgent' }, status: 'closed' }, 'filter.severity'],
      [{ filter: { status: 'new,gone' }, status: 'closed' }, 'filter.status'],
      [{ ids: [UNKNOWN], except: [UNKNOWN], status: 'closed' }, 'except'],
      [{ ids: [UNKNOWN], most: 1, status: 'closed' }, 'most'],
      [{ ids: [], status: 'closed' }, 'ids'],
      [{ ids: [UNKNOWN], status: 'gone' }, 'status'],
      [{ ids: [UNKNOWN] }, 'status'],
    ] as const) {
      const reply = await soc.call('POST', '/alerts/bulk', { as: kim, body })
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
    }
  })

  await t.test('two bulk changes of the same alerts at once both succeed', async () => {
    const statuses = ['triaged', 'resolved', 'closed', 'new']
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        soc.call('POST', '/alerts/bulk', {
          as: kim,
          body: { filter: { source: 'bulk' }, status: statuses[index % 4] },
        }),
      ),
    )
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  })

  await t.test('in dry_run a change is shown and nothing is stored', async (t) => {
    const body = { title: 'Kept', source: 'edr' }
    const { body: kept } = await post(body)
    const dry = await startTestSoc(t, { mode: 'dry_run', connection: soc.connection })
    const show = (path: string, asked: object) => dry.call('POST', path, { as: kim, body: asked })
    const made = await show('/alerts', { ...body, title: 'Unkept' })
    assert.equal(made.status, 200)
    assert.equal(made.body.preview, true)
    assert.equal(made.body.title, 'Unkept')
    const again = await show('/alerts', body)
    assert.equal(again.body.occurrence_count, 2)
    const promoted = await show(`/alerts/${kept.id}/promote`, {})
    assert.deepEqual(promoted.body.alert_ids, [kept.id])
    assert.equal(promoted.body.preview, true)

    assert.deepEqual((await get(`/alerts/${kept.id}`)).body, kept)
    assert.equal((await get('/alerts?q=Unkept')).body.total, 0)
    assert.equal((await get('/cases')).body.total, 0)
  })

  await t.test('in dummy a change is 409 and names the mode', async (t) => {
    const dummy = await startTestSoc(t, { mode: 'dummy', connection: soc.connection })
    const body = { title: 'x', source: 'y' }
    const reply = await dummy.call('POST', '/alerts', { as: kim, body })
    assert.equal(reply.status, 409)
    assert.match(reply.body.detail, /dummy/)
  })

  await t.test('PATCH /alerts is audited under its own id, however that was spelled', async () => {
    const { id } = (await post({ title: 'Spelled', source: 'auth', severity: 'low' })).body
    const path = `/alerts/${id.toUpperCase()}`
    await soc.call('PATCH', path, { as: kim, body: { status: 'closed' } })
    const found = await soc.query<{ action: string }>(
      'SELECT action FROM audit_log WHERE target = $1',
      [`alert:${id}`],
    )
    assert.deepEqual(found.map(({ action }) => action).sort(), ['alert.create', 'alert.update'])
  })
})
