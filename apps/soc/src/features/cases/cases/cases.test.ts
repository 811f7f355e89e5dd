import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Case, CaseDetail } from '@manara/soc-contract/cases'
import { startTestSoc } from '../../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('cases', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('analyst', 'kim')
  const manager = await soc.signInAs('manager')
  const call = (method: string, path: string, body?: unknown, as = kim) =>
    soc.call(method, path, { as, body })
  const newCase = async (body: object = {}): Promise<CaseDetail> =>
    (await call('POST', '/cases', { title: 'Beacon', ...body })).body
  const newAlert = async (title: string) =>
    (await call('POST', '/alerts', { title, source: 'cases test' })).body
  const actions = async (id: string) =>
    (await call('GET', `/cases/${id}`)).body.timeline.map(
      (entry: { action: string }) => entry.action,
    )

  await t.test('POST /cases answers 201 with the whole case', async () => {
    const alert = await newAlert('for the case')
    const { status, body } = await call('POST', '/cases', {
      title: 'Beacon',
      severity: 'high',
      description: 'C2 traffic',
      assignee: 'lee@example.org',
      alert_ids: [alert.id, alert.id],
    })
    assert.equal(status, 201)
    const { id, created_at, updated_at, timeline, ...rest } = body
    assert.deepEqual(rest, {
      title: 'Beacon',
      severity: 'high',
      status: 'open',
      description: 'C2 traffic',
      assignee: 'lee@example.org',
      requires_human_approval: false,
      access: { mode: 'team', users: [], roles: [] },
      tlp: 'green',
      alert_ids: [alert.id],
      version: 1,
      merged_into: null,
      merged_case_ids: [],
      created_by: 'kim',
      observables: [],
      evidence: [],
      comments: [],
      tasks: [],
    })
    assert.deepEqual(Object.keys(timeline[0]).sort(), ['action', 'agent', 'timestamp'])
    assert.equal(timeline[0].agent, 'kim')
    assert.equal(timeline.length, 2)
    assert.equal((await call('GET', `/alerts/${alert.id}`)).body.case_id, id)
    assert.deepEqual((await call('GET', `/cases/${id}`)).body, body)
  })

  await t.test('alert_ids must exist and be free; else no case is made', async () => {
    const taken = await newAlert('taken')
    await newCase({ alert_ids: [taken.id] })
    const { total } = (await call('GET', '/cases')).body
    for (const id of [UNKNOWN, 'nope']) {
      const { status, body } = await call('POST', '/cases', { title: 'x', alert_ids: [id] })
      assert.equal(status, 400)
      assert.match(body.detail, /^alert_ids: /)
    }
    assert.equal((await call('POST', '/cases', { title: 'x', alert_ids: [taken.id] })).status, 409)
    assert.equal((await call('GET', '/cases')).body.total, total)
  })

  await t.test('bad bodies are 400 and name the field', async () => {
    const { id } = await newCase()
    const bad: [string, string, unknown, string][] = [
      ['POST', '/cases', {}, 'title'],
      ['POST', '/cases', { title: 'x', severity: 'huge' }, 'severity'],
      ['POST', '/cases', { title: 'x', alert_ids: 'a' }, 'alert_ids'],
      ['POST', '/cases', { title: 'x', requires_human_approval: true }, 'requires_human_approval'],
      ['PATCH', `/cases/${id}`, { status: 'done' }, 'status'],
      ['PATCH', `/cases/${id}`, { version: 1 }, 'body'],
      ['PATCH', `/cases/${id}`, { title: 'x', version: '1' }, 'version'],
      ['PATCH', `/cases/${id}`, { alert_ids: [] }, 'alert_ids'],
      ['POST', `/cases/${id}/observables`, { type: 'ip' }, 'value'],
      ['POST', `/cases/${id}/observables`, { type: 'ip', value: 'x', context: [] }, 'context'],
      ['POST', `/cases/${id}/comments`, { body: '' }, 'body'],
      ['POST', `/cases/${id}/tasks`, { title: 'x', status: 'open' }, 'status'],
      ['POST', `/cases/${id}/tasks`, { title: 'x', due_at: 'soon' }, 'due_at'],
      ['POST', `/cases/${id}/merge`, { case_ids: [] }, 'case_ids'],
      ['POST', `/cases/${id}/merge`, { case_ids: [id] }, 'case_ids'],
    ]
    for (const [method, path, body, field] of bad) {
      const reply = await call(method, path, body)
      assert.equal(reply.status, 400, `${method} ${path} ${JSON.stringify(body)}`)
      assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
    }
  })

  await t.test('an unknown or malformed case is 404 on every route', async () => {
    const sha256 = 'a'.repeat(64)
    for (const id of [UNKNOWN, 'nope', '%00']) {
      const routes: [string, string, unknown?][] = [
        ['GET', ''],
        ['PATCH', '', { title: 'x' }],
        ['DELETE', ''],
        ['GET', '/observables'],
        ['POST', '/observables', { type: 'ip', value: '10.0.0.1' }],
        ['GET', '/comments'],
        ['POST', '/comments', { body: 'x' }],
        ['GET', '/tasks'],
        ['POST', '/tasks', { title: 'x' }],
        ['PATCH', `/tasks/${UNKNOWN}`, { status: 'done' }],
        ['GET', '/evidence'],
        ['POST', '/evidence', { name: 'x', evidence_type: 'y', sha256 }],
        ['POST', `/evidence/${UNKNOWN}/custody`, { action: 'accessed' }],
        ['GET', '/evidence/verify'],
        ['GET', '/evidence/export'],
        ['POST', '/merge', { case_ids: ['another'] }],
        ['POST', '/unmerge', { case_ids: ['another'] }],
      ]
      for (const [method, path, body] of routes) {
        const reply = await call(method, `/cases/${id}${path}`, body, manager)
        assert.equal(reply.status, 404, `${method} /cases/${id}${path}`)
      }
    }
  })

  await t.test('PATCH /cases/{id} changes fields, version and timeline', async () => {
    const { id } = await newCase()
    const { status, body } = await call('PATCH', `/cases/${id}`, {
      status: 'pending_approval',
      requires_human_approval: true,
      assignee: 'lee@example.org',
    })
    assert.equal(status, 200)
    assert.equal(body.version, 2)
    assert.equal(body.status, 'pending_approval')
    assert.equal(body.requires_human_approval, true)
    assert.deepEqual(await actions(id), [
      'case created',
      'status open → pending_approval',
      'assignee none → lee@example.org',
      'requires_human_approval false → true',
    ])
    const same = await call('PATCH', `/cases/${id}`, { status: 'pending_approval' })
    assert.equal(same.body.version, 2)
  })

  await t.test(
    'a stale version is 409 and changes nothing; without one the last wins',
    async () => {
      const { id, version } = await newCase()
      assert.equal((await call('PATCH', `/cases/${id}`, { title: 'First', version })).status, 200)
      const stale = await call('PATCH', `/cases/${id}`, { title: 'Second', version })
      assert.equal(stale.status, 409)
      assert.match(stale.body.detail, /^version: /)
      assert.equal((await call('GET', `/cases/${id}`)).body.title, 'First')
      assert.equal((await call('PATCH', `/cases/${id}`, { title: 'Third' })).body.version, 3)
    },
  )

  await t.test('of many writers with one version exactly one wins', async () => {
    const { id, version } = await newCase()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call('PATCH', `/cases/${id}`, { title: `Writer ${index}`, version }),
      ),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)])
  })

  await t.test('DELETE /cases/{id} returns the alerts to triaged', async () => {
    const alert = await newAlert('to be released')
    const { id } = await newCase({ alert_ids: [alert.id] })
    assert.equal((await call('DELETE', `/cases/${id}`)).status, 403)
    const { status, body } = await call('DELETE', `/cases/${id}`, undefined, manager)
    assert.equal(status, 200)
    assert.deepEqual(body, { deleted: true, id })
    const released = (await call('GET', `/alerts/${alert.id}`)).body
    assert.equal(released.status, 'triaged')
    assert.equal(released.case_id, null)
    assert.equal((await call('GET', `/cases/${id}`)).status, 404)
    assert.equal((await call('DELETE', `/cases/${id}`, undefined, manager)).status, 404)
  })

  await t.test('GET /cases filters, sorts, searches and pages', async () => {
    const made = [
      await newCase({ title: 'zebra one', severity: 'low' }),
      await newCase({ title: 'zebra two', severity: 'critical', assignee: 'zoe' }),
      await newCase({ title: 'zebra three', severity: 'high', description: 'striped' }),
    ]
    await call('PATCH', `/cases/${made[0]?.id}`, { status: 'on_hold' })
    const titles = async (query: string) =>
      (await call('GET', `/cases?q=zebra&${query}`)).body.items.map((item: Case) => item.title)
    assert.deepEqual(await titles(''), ['zebra three', 'zebra two', 'zebra one'])
    assert.deepEqual(await titles('sort=severity'), ['zebra two', 'zebra three', 'zebra one'])
    assert.deepEqual(await titles('sort=updated_at&limit=1'), ['zebra one'])
    assert.deepEqual(await titles('status=on_hold'), ['zebra one'])
    assert.deepEqual(await titles('status=open,on_hold&limit=2'), ['zebra three', 'zebra two'])
    assert.deepEqual(await titles('severity=high'), ['zebra three'])
    assert.deepEqual(await titles('severity=high,low'), ['zebra three', 'zebra one'])
    assert.deepEqual(await titles('assignee=zoe'), ['zebra two'])
    assert.deepEqual(await titles('skip=1&limit=1'), ['zebra two'])
    const page = (await call('GET', '/cases?q=zebra&limit=2')).body
    assert.equal(page.total, 3)
    assert.deepEqual(await titles(`limit=2&cursor=${page.next_cursor}`), ['zebra one'])
    assert.equal((await call('GET', '/cases?status=open,done')).status, 400)
  })

  await t.test('every change of a case is in the audit log with who did it', async () => {
    const { id } = await newCase()
    await call('PATCH', `/cases/${id}`, { status: 'closed' })
    await call('POST', `/cases/${id}/comments`, { body: 'done' })
    await call('DELETE', `/cases/${id}`, undefined, manager)
    assert.deepEqual(
      await soc.query('SELECT action, actor FROM audit_log WHERE target = $1 ORDER BY id', [
        `case:${id}`,
      ]),
      [
        { action: 'case.create', actor: 'kim' },
        { action: 'case.update', actor: 'kim' },
        { action: 'case.comment.add', actor: 'kim' },
        { action: 'case.delete', actor: 'manager' },
      ],
    )
  })

  await t.test('in dry_run a change is shown and nothing is stored', async (t) => {
    const { id } = await newCase({ title: 'Kept' })
    const path = `/cases/${id}`
    const before = (await call('GET', path)).body
    const { total } = (await call('GET', '/cases')).body

    const dry = await startTestSoc(t, { mode: 'dry_run', connection: soc.connection })
    const changes: [string, string, unknown?][] = [
      ['POST', '/cases', { title: 'New' }],
      ['PATCH', path, { status: 'closed' }],
      ['POST', `${path}/comments`, { body: 'x' }],
      ['POST', `${path}/evidence`, { name: 'x', evidence_type: 'y', sha256: 'a'.repeat(64) }],
      ['DELETE', path],
    ]
    for (const [method, url, body] of changes) {
      const reply = await dry.call(method, url, { as: manager, body })
      assert.equal(reply.status, 200, `${method} ${url}`)
      assert.equal(reply.body.preview, true)
    }
    assert.deepEqual((await call('GET', path)).body, before)
    assert.equal((await call('GET', '/cases')).body.total, total)
  })
})
