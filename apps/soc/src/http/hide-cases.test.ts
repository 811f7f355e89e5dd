import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../testing/test-soc.ts'

test('bodies that name cases', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('manager', 'kim')
  const eve = await soc.signInAs('manager', 'eve')
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await soc.call('POST', path, { as: kim, body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id
  }

  await t.test(
    'a case that a body names inside of what it proposes or cites is looked at too',
    async () => {
      const alertId = await made('/alerts', { title: 'Alert', source: 's' })
      const open = await made('/cases', { title: 'Open' })
      const id = await made('/cases', { title: 'Insider', access: { mode: 'private' } })
      const tasks = [{ title: 'look' }]
      const propose = async (action: object, case_ids: string[] = []) => {
        const cites = { alert_ids: [alertId], case_ids }
        const body = { title: 'Do it', action, cites }
        const reply = await soc.call('POST', '/agents/proposals', { as: eve, body })
        return [reply.status, reply.body.detail]
      }
      const missing = [404, `case ${id} not found`]
      assert.deepEqual(await propose({ kind: 'add_tasks', case_id: id, tasks }), missing)
      const merge = { kind: 'merge_cases', case_id: open, case_ids: [id] }
      assert.deepEqual(await propose(merge), missing)
      const harmless = { kind: 'add_tasks', case_id: open, tasks }
      assert.deepEqual(await propose(harmless, [id]), missing)
      assert.equal((await propose(harmless, [open]))[0], 201)
    },
  )

  await t.test(
    'what names a hidden case is hidden, also when it is written in capitals',
    async () => {
      const alertId = await made('/alerts', { title: 'Theirs', source: 's' })
      const id = await made('/cases', { title: 'Insider', access: { mode: 'private' } })
      for (const case_id of [id, id.toUpperCase()]) {
        const action = {
          kind: 'add_tasks',
          case_id,
          tasks: [{ title: `seize the laptop ${case_id}` }],
        }
        const proposal = await made('/agents/proposals', {
          ...{ title: 'Do it', action, cites: { alert_ids: [alertId] } },
        })
        const one = `/agents/proposals/${proposal}`
        assert.equal((await soc.call('GET', one, { as: kim })).status, 200)
        assert.equal((await soc.call('GET', one, { as: eve })).status, 404, case_id)
      }
      const auditor = await soc.signInAs('auditor')
      for (const path of ['/agents/proposals?status=all', '/audit?limit=200']) {
        const { status, body } = await soc.call('GET', path, { as: auditor })
        assert.equal(status, 200)
        assert.doesNotMatch(JSON.stringify(body), new RegExp(id, 'i'), path)
      }
    },
  )

  await t.test(
    'the assignee of a private case reads it, in whatever letters they are named',
    async () => {
      const body = { title: 'Insider', access: { mode: 'private' }, assignee: 'EVE' }
      const id = await made('/cases', body)
      assert.equal((await soc.call('GET', `/cases/${id}`, { as: eve })).body.assignee, 'eve')
      const changed = async (assignee: string) =>
        (await soc.call('PATCH', `/cases/${id}`, { as: kim, body: { assignee } })).body.assignee
      assert.equal(await changed('the night shift'), 'the night shift')
      assert.equal((await soc.call('GET', `/cases/${id}`, { as: eve })).status, 404)
      assert.equal(await changed('Eve'), 'eve')
      assert.equal((await soc.call('GET', `/cases/${id}`, { as: eve })).status, 200)
    },
  )

  await t.test(
    'a body that names a case is answered alike for a hidden one and one that never was',
    async () => {
      const hidden = await made('/cases', { title: 'Insider', access: { mode: 'private' } })
      const open = await made('/cases', { title: 'Open' })
      const alertId = await made('/alerts', { title: 'Another alert', source: 's' })
      await soc.call('POST', `/alerts/${alertId}/case-link`, { as: kim, body: { case_id: hidden } })
      const rule = await made('/detections/rules', { name: 'r', query: 'x:1' })
      const steps = [{ id: 'w', action: 'wait', params: { seconds: 0.01 } }]
      const playbook = await made('/soar/playbooks', { name: 'Wait', steps })
      const unknown = '00000000-0000-7000-8000-000000000000'
      const cites = { alert_ids: [alertId] }
      const tasks = [{ title: 'look' }]
      const proposed = (action: object, more: object = {}) => ({
        ...{ title: 'Do it', action, cites: { ...cites, ...more } },
      })
      const ways: [string, (id: string) => object][] = [
        [`/cases/${open}/merge`, (id) => ({ case_ids: [id] })],
        [`/cases/${open}/unmerge`, (id) => ({ case_ids: [id] })],
        [`/alerts/${alertId}/case-link`, (case_id) => ({ case_id })],
        ['/reports', (case_id) => ({ report_type: 'investigation', case_id })],
        [`/soar/playbooks/${playbook}/execute`, (case_id) => ({ case_id })],
        ['/soar/playbooks/none/execute', (case_id) => ({ case_id })],
        [`/detections/rules/${rule}/feedback`, (case_id) => ({ verdict: 'needs_tuning', case_id })],
        ['/agents/proposals', (case_id) => proposed({ kind: 'add_tasks', case_id, tasks })],
        [
          '/agents/proposals',
          (id) => proposed({ kind: 'merge_cases', case_id: open, case_ids: [id] }),
        ],
        [
          '/agents/proposals',
          (id) => proposed({ kind: 'add_tasks', case_id: open, tasks }, { case_ids: [id] }),
        ],
      ]
      for (const [path, body] of ways) {
        for (const id of [unknown, hidden, hidden.toUpperCase()]) {
          const reply = await soc.call('POST', path, { as: eve, body: body(id) })
          const told = [reply.status, reply.body.detail]
          assert.deepEqual(
            told,
            [404, `case ${id} not found`],
            `${path} ${JSON.stringify(body(id))}`,
          )
        }
      }
    },
  )
})
