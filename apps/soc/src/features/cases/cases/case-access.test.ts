import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../../testing/event-reader.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const SECRET = 'Zephyrine'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const evidence = { name: `${SECRET} disk`, evidence_type: 'image', sha256: 'ab'.repeat(32) }

/** A private case with everything that can hang on one, and an alert in it. */
async function privateCase(soc: TestSoc, as: string, title = 'Alert') {
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await soc.call(method, path, { as, body })
    assert.ok(reply.status < 300, `${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const alert = await call('POST', '/alerts', { title, source: 's', iocs: [SECRET] })
  const { id } = await call('POST', '/cases', {
    title: `Insider ${SECRET}`,
    alert_ids: [alert.id],
    access: { mode: 'private' },
  })
  const { id: evidenceId } = await call('POST', `/cases/${id}/evidence`, evidence)
  await call('POST', `/cases/${id}/comments`, { body: `about ${SECRET}` })
  const task = await call('POST', `/cases/${id}/tasks`, { title: `watch ${SECRET}` })
  const { items } = await call('GET', `/cases/${id}/observables`)
  const report = await call('POST', '/reports', { report_type: 'investigation', case_id: id })
  const run = await call('POST', '/soar/playbooks/isolate-host/execute', {
    case_id: id,
    parameters: { host: SECRET },
  })
  return {
    ...{ id, alertId: alert.id, evidenceId, taskId: task.id, observableId: items[0].id },
    ...{ reportId: report.id, approvalId: run.approval_id },
  }
}

test('a private case is not there for those it does not name', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('manager', 'kim')
  const eve = await soc.signInAs('manager', 'eve')
  const auditor = await soc.signInAs('auditor', 'audrey')
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const heard = await readEvents(t, address, eve)
  const own = await readEvents(t, address, kim)
  const made = await privateCase(soc, kim)
  const other = (await soc.call('POST', '/cases', { as: eve, body: { title: 'Other' } })).body.id
  const asEve = (method: string, path: string, body?: unknown) =>
    soc.call(method, path, { as: eve, body })

  await t.test('every route that names it is 404, as for one that never was', async () => {
    const { id, evidenceId, taskId, observableId, reportId, approvalId, alertId } = made
    const base = `/cases/${id}`
    const ways: [string, string, unknown?][] = [
      ['GET', base],
      ['PATCH', base, { status: 'closed' }],
      ['PATCH', base, { access: { mode: 'team' } }],
      ['DELETE', base],
      ...['observables', 'evidence', 'comments', 'tasks'].map((part): [string, string] => [
        'GET',
        `${base}/${part}`,
      ]),
      ['POST', `${base}/comments`, { body: 'x' }],
      ['POST', `${base}/tasks`, { title: 'x' }],
      ['POST', `${base}/observables`, { type: 'ip', value: '192.0.2.1' }],
      ['POST', `${base}/evidence`, evidence],
      ['PATCH', `${base}/tasks/${taskId}`, { status: 'done' }],
      ['PATCH', `${base}/observables/${observableId}`, { tags: ['x'] }],
      ['DELETE', `${base}/observables/${observableId}`],
      ['POST', `${base}/evidence/${evidenceId}/custody`, { action: 'accessed' }],
      ['GET', `${base}/evidence/verify`],
      ['GET', `${base}/evidence/export`],
      ['GET', `${base}/evidence/ledger/1/proof`],
      ['POST', `${base}/merge`, { case_ids: [other] }],
      ['POST', `${base}/unmerge`, { case_ids: [other] }],
      ['POST', `/cases/${other}/merge`, { case_ids: [id] }],
      ['POST', `/alerts/${alertId}/case-link`, { case_id: id }],
      ['POST', '/reports', { report_type: 'investigation', case_id: id }],
      ['POST', '/soar/playbooks/enrich-alert/execute', { case_id: id }],
      ['GET', `/reports/${reportId}`],
      ['GET', `/approvals/${approvalId}`],
      ['POST', `/approvals/${approvalId}/decide`, { approved: true }],
      ['GET', `/cases/${id.toUpperCase()}`],
    ]
    for (const [method, path, body] of ways) {
      const reply = await asEve(method, path, body)
      assert.equal(reply.status, 404, `${method} ${path}: ${JSON.stringify(reply.body)}`)
      assert.ok(!JSON.stringify(reply.body).includes(SECRET), path)
    }
    const never = (await asEve('GET', `/cases/${UNKNOWN}`)).body.detail
    const hidden = (await asEve('GET', base)).body.detail
    assert.equal(hidden.replace(id, ''), never.replace(UNKNOWN, ''))
  })

  await t.test('a list of what belongs to it is empty, as of one that never was', async () => {
    for (const path of [
      '/alerts',
      '/approvals',
      '/reports',
      '/soar/executions',
      '/playbooks/executions',
      '/agents/findings',
    ]) {
      const never = await asEve('GET', `${path}?case_id=${UNKNOWN}`)
      assert.deepEqual([never.status, never.body.total], [200, 0], path)
      for (const id of [made.id, made.id.toUpperCase()]) {
        const { status, body } = await asEve('GET', `${path}?case_id=${id}`)
        assert.deepEqual([status, body], [never.status, never.body], `${path} of ${id}`)
      }
    }
    const own = await soc.call('GET', `/alerts?case_id=${made.id}`, { as: kim })
    assert.deepEqual([own.body.total, own.body.items[0].id], [1, made.alertId])
  })

  await t.test('no list, search, number or log shows it', async () => {
    for (const [path, as] of [
      ['/cases?limit=200', eve],
      [`/cases?q=${SECRET}`, eve],
      ['/reports?limit=200', eve],
      ['/approvals?status=all&limit=200', eve],
      ['/soar/executions?limit=200', eve],
      ['/agents/findings?limit=200', eve],
      ['/agents/proposals?status=all&limit=200', eve],
      ['/audit?limit=200', auditor],
      [`/audit?target=case:${made.id}`, auditor],
    ] as const) {
      const { status, body } = await soc.call('GET', path, { as })
      assert.equal(status, 200, path)
      const text = JSON.stringify(body)
      assert.ok(!text.includes(made.id), `${path} names it`)
      assert.ok(!text.includes(`Insider ${SECRET}`), `${path} tells of it`)
    }
    const { cases } = (await asEve('GET', '/stats/overview')).body
    const seen = (await soc.call('GET', '/stats/overview', { as: kim })).body.cases
    assert.equal(seen.total, cases.total + 1)
    assert.equal((await asEve('GET', `/alerts/${made.alertId}`)).body.case_id, null)
    const alert = (await soc.call('GET', `/alerts/${made.alertId}`, { as: kim })).body
    assert.equal(alert.case_id, made.id)
  })

  await t.test('agents’ tools and the chat do not see it for her either', async () => {
    for (const [tool, input] of [
      ['get_case', { case_id: made.id }],
      ['update_case', { case_id: made.id, status: 'closed' }],
      ['generate_report', { report_type: 'investigation', case_id: made.id }],
    ] as const) {
      const { body } = await asEve('POST', `/agents/agent-001/tools/${tool}`, input)
      assert.equal(body.error_code ?? 'NOT_FOUND', 'NOT_FOUND', JSON.stringify(body))
      assert.ok(!JSON.stringify(body).includes(SECRET), tool)
    }
    const listed = await asEve('POST', '/agents/agent-001/tools/list_cases', {})
    assert.ok(!JSON.stringify(listed.body).includes(made.id))
    const chat = await asEve('POST', '/chat/stream', { message: `show case ${made.id}` })
    assert.ok(!String(chat.body).includes(SECRET), String(chat.body))
    const all = await asEve('POST', '/chat/stream', { message: 'which cases are open?' })
    assert.ok(!String(all.body).includes(SECRET), String(all.body))
  })

  await t.test('a model that calls over MCP with her key does not see it', async () => {
    const scopes = ['alerts:read', 'cases:read', 'cases:write', 'reports:read']
    const key = await soc.call('POST', '/users/eve/api-keys', {
      ...{ as: await soc.signIn(), body: { name: 'mcp', scopes } },
    })
    const ask = async (name: string, args: object) => {
      const reply = await fetch(`${address}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key.body.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name, arguments: args },
        }),
      })
      assert.equal(reply.status, 200)
      return reply.text()
    }
    const hidden = await ask('get_case', { case_id: made.id })
    assert.match(hidden, /NOT_FOUND/)
    assert.ok(!hidden.includes(SECRET))
    assert.match(await ask('get_case', { case_id: other }), /Other/, 'her own is there')
    assert.match(await ask('update_case', { case_id: made.id, status: 'closed' }), /NOT_FOUND/)
    const listed = await ask('list_cases', {})
    assert.ok(listed.includes(other) && !listed.includes(made.id), listed)
  })

  await t.test('no step of a playbook in it is told', async () => {
    const steps = [{ id: 'note', action: 'add_comment', params: { case_id: made.id, body: 'b' } }]
    const playbook = await soc.call('POST', '/soar/playbooks', {
      ...{ as: kim, body: { name: 'Note', steps } },
    })
    const started = await soc.call('POST', `/soar/playbooks/${playbook.body.id}/execute`, {
      ...{ as: kim, body: { case_id: made.id } },
    })
    const { execution_id } = started.body
    const isOver = ({ event, data }: { event: string; data: unknown }) =>
      event === 'execution.completed' && JSON.stringify(data).includes(execution_id)
    await until('she who may read it heard the end', () => own.received.some(isOver))
    const told = own.received.filter(({ event }) => event === 'execution.step')
    const last = told.at(-1)?.data as { id: string; case_id: string; step: { id: string } }
    assert.deepEqual([last.id, last.case_id, last.step.id], [execution_id, made.id, 'note'])
    await soc.call('POST', '/cases', { as: kim, body: { title: 'After the steps' } })
    await until('the other has heard what came after', () =>
      heard.received.some(({ data }) => JSON.stringify(data).includes('After the steps')),
    )
    assert.ok(!JSON.stringify(heard.received).includes(execution_id))
  })

  await t.test('no live event tells of it', async () => {
    await soc.call('PATCH', `/cases/${made.id}`, { as: kim, body: { status: 'investigating' } })
    await soc.call('POST', '/cases', { as: kim, body: { title: 'The last one' } })
    const isLast = ({ data }: { data: unknown }) => JSON.stringify(data).includes('The last one')
    await until('both have heard the last', () =>
      [heard, own].every((one) => one.received.some(isLast)),
    )
    assert.ok(JSON.stringify(own.received).includes(made.id))
    assert.ok(!JSON.stringify(heard.received).includes(made.id))
  })

  await t.test('people and roles that are named read it, and TLP red is for people', async () => {
    const noor = await soc.signInAs('analyst', 'noor')
    const role = await soc.signInAs('responder', 'rana')
    const path = `/cases/${made.id}`
    const reads = async (as: string) => (await soc.call('GET', path, { as })).status
    const set = async (body: object) => {
      const reply = await soc.call('PATCH', path, { as: kim, body })
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
    }
    assert.deepEqual([await reads(noor), await reads(role)], [404, 404])
    await set({ access: { mode: 'private', users: ['noor'], roles: ['responder'] } })
    assert.deepEqual([await reads(noor), await reads(role), await reads(eve)], [200, 200, 404])
    await set({ tlp: 'red' })
    assert.deepEqual([await reads(noor), await reads(role), await reads(kim)], [200, 404, 200])
    await set({ tlp: 'amber+strict', access: { mode: 'team' } })
    assert.deepEqual([await reads(noor), await reads(eve), await reads(kim)], [404, 404, 200])
    assert.equal(await reads(await soc.signIn()), 200, 'an admin can always mend it')
    await set({ tlp: 'amber' })
    assert.deepEqual([await reads(noor), await reads(eve)], [200, 200])
    const unknown = { access: { mode: 'private', users: ['nobody'] } }
    const refused = await soc.call('PATCH', path, { as: kim, body: unknown })
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, /^access.users: nobody is not a user/)
  })

  await t.test('a new user under an old name does not inherit it', async () => {
    const admin = await soc.signIn()
    await soc.signInAs('analyst', 'old')
    const body = { title: 'For old', access: { mode: 'private', users: ['old'] } }
    const { id } = (await soc.call('POST', '/cases', { as: kim, body })).body
    await soc.call('DELETE', '/users/old', { as: admin })
    const again = await soc.signInAs('analyst', 'old')
    assert.equal((await soc.call('GET', `/cases/${id}`, { as: again })).status, 404)
  })

  await t.test('merging does not open what is private', async () => {
    const hidden = await privateCase(soc, kim, 'Another alert')
    const open = (await soc.call('POST', '/cases', { as: kim, body: { title: 'Open' } })).body.id
    const merge = (into: string, ids: string[]) =>
      soc.call('POST', `/cases/${into}/merge`, { as: kim, body: { case_ids: ids } })
    const refused = await merge(open, [hidden.id])
    assert.equal(refused.status, 409)
    assert.match(refused.body.detail, /is private: make case/)
    assert.equal((await merge(hidden.id, [open])).status, 200)
    const merged = await asEve('GET', `/cases/${open}`)
    assert.deepEqual([merged.status, merged.body.merged_into], [200, null], 'it stays the team’s')
    const promoted = await asEve('POST', `/alerts/${hidden.alertId}/promote`, {})
    assert.equal(promoted.status, 409)
    assert.ok(!promoted.body.detail.includes(hidden.id))
    assert.equal((await asEve('GET', `/cases/${hidden.id}`)).status, 404)
  })

  await t.test('nor does opening the case that it was merged into', async () => {
    const make = async (users: string[]): Promise<string> => {
      const body = { title: 'Shut', access: { mode: 'private', users } }
      return (await soc.call('POST', '/cases', { as: kim, body })).body.id
    }
    const [inmost, inner, outer] = [await make([]), await make([]), await make(['eve'])]
    await soc.call('POST', `/cases/${inmost}/comments`, { as: kim, body: { body: SECRET } })
    for (const [into, id] of [
      [inner, inmost],
      [outer, inner],
    ]) {
      const body = { case_ids: [id] }
      const merged = await soc.call('POST', `/cases/${into}/merge`, { as: kim, body })
      assert.equal(merged.status, 200)
    }
    const set = (body: object) => asEve('PATCH', `/cases/${outer}`, body)
    const opened = await set({ access: { mode: 'team' } })
    assert.equal(opened.status, 409, JSON.stringify(opened.body))
    assert.match(opened.body.detail, /another case is private: separate it from case/)
    assert.equal((await set({ tlp: 'red', access: { mode: 'team', users: ['eve'] } })).status, 200)
    assert.equal((await set({ tlp: 'green' })).status, 409)
    const stranger = await soc.call('GET', `/cases/${outer}`, { as: auditor })
    assert.equal(stranger.status, 404)
    assert.equal((await set({ title: 'Still shut' })).status, 200, 'the rest may change')
    const body = { case_ids: [inner] }
    await soc.call('POST', `/cases/${outer}/unmerge`, { as: kim, body })
    assert.equal((await set({ tlp: 'green' })).status, 200)
  })
})
