import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Playbook } from '@manara/soc-contract/playbooks'
import { playbookRuns } from '../../../testing/playbook-runs.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

const step = { id: 's', action: 'wait', params: { seconds: 1 } }

test('a critical playbook is not one person’s to change', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const one = await soc.signInAs('manager', 'noor')
  const two = await soc.signInAs('manager', 'omar')
  const { call, write, reaches, over } = playbookRuns(soc, one)
  const read = async (id: string): Promise<Playbook> =>
    (await call('GET', `/soar/playbooks/${id}`)).body
  const decide = (id: string, approved: boolean, as: string) =>
    call('POST', `/approvals/${id}/decide`, { approved }, as)

  for (const [what, first, method, path, body, field] of [
    ['made uncritical', {}, 'PATCH', '', { is_critical: false }, 'is_critical'],
    ['given other steps', {}, 'PATCH', '', { steps: [{ ...step, id: 'other' }] }, 'steps'],
    ['given approvers', {}, 'PATCH', '', { approvers: ['noor'] }, 'approvers'],
    ['enabled', { enabled: false }, 'PATCH', '', { enabled: true }, 'enabled'],
    ['toggled on', { enabled: false }, 'POST', '/toggle', {}, 'enabled'],
  ] as const) {
    await t.test(`${what}: 202, nothing changed, until a second person agrees`, async () => {
      const { id, ...before } = await write({ is_critical: true, steps: [step], ...first })
      const asked = await call(method, `/soar/playbooks/${id}${path}`, body)
      assert.equal(asked.status, 202, JSON.stringify(asked.body))
      const { approval_id, status } = asked.body
      assert.equal(status, 'pending_approval')
      const unchanged = await read(id)
      assert.deepEqual(unchanged, { id, ...before })
      const shown = (await call('GET', `/approvals/${approval_id}`)).body
      assert.equal(shown.kind, 'playbook_change')
      assert.ok(
        shown.changes.some((change: { path: string }) => change.path.startsWith(`/${field}`)),
      )
      assert.equal((await decide(approval_id, true, one)).status, 403)
      assert.equal((await decide(approval_id, true, two)).status, 200)
      const after = await read(id)
      assert.notDeepEqual(after, unchanged)
      assert.equal(after.updated_by, 'noor')
      assert.equal((await call('GET', `/approvals/${approval_id}`)).body.status, 'consumed')
    })
  }

  await t.test('rejected, it stays; switched off meanwhile, it is not switched on', async () => {
    const { id } = await write({ is_critical: true, steps: [step] })
    const path = `/soar/playbooks/${id}`
    const no = (await call('PATCH', path, { is_critical: false })).body.approval_id
    assert.equal((await decide(no, false, two)).status, 200)
    assert.equal((await read(id)).is_critical, true)

    const late = (await call('PATCH', path, { steps: [{ ...step, id: 'late' }] })).body.approval_id
    assert.equal((await call('POST', `${path}/toggle`)).status, 200, 'off needs nobody else')
    const decided = await decide(late, true, two)
    assert.equal(decided.status, 409)
    assert.match(decided.body.detail, /changed after this was asked/)
    assert.equal((await read(id)).enabled, false)
  })

  await t.test('deleting it and writing it anew is no way around', async () => {
    await write({ id: 'grave-one', is_critical: true, steps: [step] })
    assert.equal((await call('DELETE', '/soar/playbooks/grave-one')).status, 200)
    const anew = { id: 'grave-one', name: 'Mild', steps: [step] }
    const asked = await call('POST', '/soar/playbooks', anew)
    assert.equal(asked.status, 202)
    assert.equal((await call('GET', '/soar/playbooks/grave-one')).status, 404)
    await decide(asked.body.approval_id, true, two)
    assert.equal((await read('grave-one')).is_critical, false)
  })

  await t.test('only the named approvers decide', async () => {
    const { id } = await write({ is_critical: true, approvers: ['omar'], steps: [step] })
    const { approval_id } = (await call('POST', `/soar/playbooks/${id}/execute`, {})).body
    assert.equal((await decide(approval_id, true, admin)).status, 403)
    assert.equal((await decide(approval_id, true, two)).status, 200)
  })

  await t.test('of its steps too, as they were named when the execution began', async () => {
    const asking = { id: 'ask', action: 'request_approval', params: { action: 'go on' } }
    const delay = { id: 'delay', action: 'wait', params: { seconds: 1 } }
    const { id } = await write({ approvers: ['omar'], steps: [delay, asking] })
    const { execution_id } = (await call('POST', `/soar/playbooks/${id}/execute`, {})).body
    const { approval_id } = (await call('PATCH', `/soar/playbooks/${id}`, { approvers: ['noor'] }))
      .body
    assert.equal((await decide(approval_id, true, two)).status, 200)
    const { steps } = await reaches(execution_id, ({ status }) => status === 'pending_approval')
    const shown = (await call('GET', `/approvals/${steps[1]?.output?.approval_id}`)).body
    assert.deepEqual(
      [shown.kind, shown.approvers, shown.approvers_left],
      ['step', ['omar'], ['omar']],
    )
    const refused = await decide(shown.id, true, admin)
    assert.deepEqual([refused.status, refused.body.detail], [403, 'only omar may decide this'])
    assert.equal((await decide(shown.id, true, two)).status, 200)
    assert.equal((await over(execution_id)).status, 'completed')
  })

  await t.test('a name, a tag and becoming critical need one person', async () => {
    const { id } = await write({ is_critical: true, steps: [step] })
    const renamed = await call('PATCH', `/soar/playbooks/${id}`, { name: 'New', tags: ['x'] })
    assert.equal(renamed.status, 200)
    const mild = await write({ steps: [step] })
    const graver = await call('PATCH', `/soar/playbooks/${mild.id}`, { is_critical: true })
    assert.deepEqual([graver.status, graver.body.is_critical], [200, true])
  })

  await t.test('saved as it is: no new version, and what was approved still runs', async () => {
    const { id, ...before } = await write({ is_critical: true, steps: [step] })
    const path = `/soar/playbooks/${id}`
    const { approval_id } = (await call('POST', `${path}/execute`)).body
    assert.equal((await decide(approval_id, true, two)).status, 200)
    const same = { name: before.name, steps: before.steps, enabled: true }
    assert.deepEqual((await call('PATCH', path, same)).body, { id, ...before })
    assert.deepEqual((await call('POST', `${path}/toggle`, { enabled: true })).body, {
      id,
      ...before,
    })
    assert.equal((await call('GET', `${path}/versions`)).body.total, 1)
    const run = await call('POST', `${path}/execute?approval_id=${approval_id}`)
    assert.equal(run.status, 200, JSON.stringify(run.body))
  })

  await t.test('GET .../versions and .../diff: every state, and what became what', async () => {
    const { id } = await write({ steps: [step] })
    const path = `/soar/playbooks/${id}`
    await call('PATCH', path, { steps: [{ ...step, params: { seconds: 2 } }] })
    await call('POST', `${path}/toggle`)
    await call('DELETE', path)
    const { items, total } = (await call('GET', `${path}/versions`)).body
    assert.equal(total, 4)
    assert.deepEqual(
      items.map((one: { revision: number; enabled: boolean; is_deleted: boolean }) => [
        one.revision,
        one.enabled,
        one.is_deleted,
      ]),
      [
        [4, false, true],
        [3, false, false],
        [2, true, false],
        [1, true, false],
      ],
    )
    assert.equal(items[0].changed_by, 'noor')
    const first = (await call('GET', `${path}/versions?limit=1`)).body
    const next = (await call('GET', `${path}/versions?limit=1&cursor=${first.next_cursor}`)).body
    assert.equal(next.items[0].revision, 3)
    assert.equal((await call('GET', `${path}/versions/1`)).body.steps[0].params.seconds, 1)
    const { changes } = (await call('GET', `${path}/diff?from=1&to=2`)).body
    assert.deepEqual(changes, [{ path: '/steps/0/params/seconds', before: 1, after: 2 }])
    assert.deepEqual(
      (await call('GET', `${path}/diff?to=3`)).body.changes.map(
        (one: { path: string }) => one.path,
      ),
      ['/enabled'],
    )
    for (const [query, status] of [
      ['diff?from=x', 400],
      ['diff?from=9', 404],
      ['versions/9', 404],
      ['versions/nonsense', 404],
    ] as const) {
      assert.equal((await call('GET', `${path}/${query}`)).status, status, query)
    }
    assert.equal((await call('GET', '/soar/playbooks/never-was/versions')).status, 404)
  })
})
