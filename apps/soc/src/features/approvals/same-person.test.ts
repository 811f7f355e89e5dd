import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

const step = { id: 'rest', action: 'wait', params: { seconds: 1 } }

test('one person does not become two by making an account', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const call = (method: string, path: string, body: unknown, as = admin) =>
    soc.call(method, path, { as, body })
  const make = (username: string, role = 'manager', as = admin) =>
    call('POST', '/users', { username, role, password: `${username} has one` }, as)
  const signIn = (username: string) => soc.signIn(username, `${username} has one`)
  /** As if everything until now had happened long ago. */
  const daysLater = () =>
    soc.query(`UPDATE account_changes SET changed_at = changed_at - interval '4 days'`)
  const playbook = await call('POST', '/soar/playbooks', {
    ...{ name: 'Grave', is_critical: true, steps: [step] },
  })
  const ask = async (as: string) => {
    const asked = await call('POST', `/soar/playbooks/${playbook.body.id}/execute`, {}, as)
    return asked.body.approval_id as string
  }
  const decide = (id: string, as: string) =>
    call('POST', `/approvals/${id}/decide`, { approved: true }, as)

  await t.test('in a team that has just begun it is recorded, not refused', async () => {
    await make('noor')
    const id = await ask(admin)
    assert.equal((await decide(id, await signIn('noor'))).status, 200)
    const [entry] = await soc.query<{ after: object }>(
      `SELECT after FROM audit_log WHERE action = 'approval.approve'`,
    )
    assert.ok(entry && 'independent' in entry.after)
  })

  await make('twin', 'admin')
  await daysLater()

  await t.test('a new account does not decide for who made it; somebody else does', async () => {
    await make('puppet')
    const id = await ask(admin)
    const refused = await decide(id, await signIn('puppet'))
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /^puppet and admin do not count as two people/)
    assert.equal((await decide(id, await signIn('noor'))).status, 200)
  })

  await t.test('nor the maker for it, nor one made by one that was made', async () => {
    const mine = await ask(await signIn('puppet'))
    assert.equal((await decide(mine, admin)).status, 403)
    await make('second', 'admin')
    await make('third', 'manager', await signIn('second'))
    const id = await ask(admin)
    assert.equal((await decide(id, await signIn('third'))).status, 403)
    const others = await ask(await signIn('twin'))
    assert.equal((await decide(others, await signIn('third'))).status, 200)
  })

  for (const [what, change] of [
    ['a new password', { password: 'noor has one' }],
    ['another role', { role: 'admin' }],
  ] as const) {
    await t.test(`an account that was given ${what} is not another person either`, async () => {
      await daysLater()
      const id = await ask(admin)
      assert.equal((await call('PATCH', '/users/noor', change)).status, 200)
      assert.equal((await decide(id, await signIn('noor'))).status, 403)
      await daysLater()
      assert.equal((await decide(id, await signIn('noor'))).status, 200, 'after a while it is')
    })
  }

  await t.test('nor is who has a key that asks in the name of somebody else', async () => {
    await daysLater()
    const keyOf = async (...scopes: string[]) =>
      (await call('POST', '/users/noor/api-keys', { name: 'k', scopes })).body.key as string
    await keyOf('alerts:write')
    const own = await ask(await signIn('noor'))
    assert.equal((await decide(own, admin)).status, 200, 'a key that asks for nothing is no matter')

    const key = await keyOf('playbooks:execute', 'agents:manage')
    const alert = await call('POST', '/alerts', { title: 'A', source: 's', severity: 'low' })
    const asked = await soc.call('POST', '/agents/agent-001/tools/execute_playbook', {
      headers: { 'x-api-key': key },
      body: { arguments: { playbook_id: playbook.body.id, alert_id: alert.body.id } },
    })
    const { approval_id, error } = asked.body
    assert.ok(approval_id, error)
    assert.equal((await decide(approval_id, admin)).status, 403)
    assert.equal((await decide(approval_id, await signIn('twin'))).status, 200)
  })

  await t.test('who sends everybody else away is not alone', async () => {
    await daysLater()
    for (const name of ['noor', 'twin', 'second', 'third']) {
      assert.equal((await call('PATCH', `/users/${name}`, { disabled: true })).status, 200)
    }
    assert.equal((await call('DELETE', '/users/puppet', undefined)).status, 200)
    await make('late')
    const id = await ask(admin)
    assert.equal((await decide(id, admin)).status, 403)
    assert.equal((await decide(id, await signIn('late'))).status, 403)
    await soc.query(`DELETE FROM users WHERE username = 'late'`)
    const path = `/soar/playbooks/${playbook.body.id}`
    const edited = await call('PATCH', path, { is_critical: false })
    assert.equal(edited.status, 202, 'a critical playbook stays one')
  })
})

test('approvers are users, not names: a new one under an old name decides nothing', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const call = (method: string, path: string, body: unknown, as = admin) =>
    soc.call(method, path, { as, body })
  await soc.signInAs('manager', 'other')
  const first = await soc.signInAs('manager')
  const body = { name: 'Grave', is_critical: true, steps: [step], approvers: ['manager'] }
  const nobody = await call('POST', '/soar/playbooks', { ...body, approvers: ['manager', 'kim'] })
  assert.equal(nobody.body.detail, 'approvers.1: no user is called kim')
  const { id } = (await call('POST', '/soar/playbooks', body)).body
  const ask = async () =>
    (await call('POST', `/soar/playbooks/${id}/execute`, {})).body.approval_id as string
  const decide = (approval: string, as: string) =>
    call('POST', `/approvals/${approval}/decide`, { approved: true }, as)
  assert.equal((await decide(await ask(), first)).status, 200)

  const asked = await ask()
  await call('DELETE', '/users/manager', undefined)
  const second = await soc.signInAs('manager')
  for (const approval of [asked, await ask()]) {
    const refused = await decide(approval, second)
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /^only manager may decide this/)
  }
  const renamed = await call('PATCH', `/soar/playbooks/${id}`, { name: 'Still grave' })
  assert.equal(renamed.status, 200, 'who left does not keep others from editing the rest')
})

test('when every named approver has left an admin decides in their place', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const call = (method: string, path: string, body: unknown, as = admin) =>
    soc.call(method, path, { as, body })
  const other = await soc.signInAs('admin', 'other')
  const manager = await soc.signInAs('manager', 'bystander')
  const analyst = await soc.signInAs('responder', 'rana')
  for (const name of ['gone', 'away', 'lower']) await soc.signInAs('manager', name)
  await soc.query(`UPDATE account_changes SET changed_at = changed_at - interval '80 hours'`)
  const body = {
    name: 'Grave',
    is_critical: true,
    steps: [step],
    approvers: ['gone', 'away', 'lower'],
  }
  const { id } = (await call('POST', '/soar/playbooks', body)).body
  const asked = (await call('POST', `/soar/playbooks/${id}/execute`, {}, analyst)).body.approval_id
  const read = async () => (await call('GET', `/approvals/${asked}`, undefined)).body
  const decide = (as: string) => call('POST', `/approvals/${asked}/decide`, { approved: true }, as)

  await call('DELETE', '/users/gone', undefined)
  await call('PATCH', '/users/away', { disabled: true })
  assert.deepEqual((await read()).approvers_left, ['lower'])
  assert.match((await decide(other)).body.detail, /^only gone, away, lower may decide this$/)

  await call('PATCH', '/users/lower', { role: 'analyst' })
  assert.deepEqual((await read()).approvers_left, [])
  const byManager = await decide(manager)
  assert.equal(byManager.status, 403)
  assert.match(byManager.body.detail, /none of them is left: an admin decides in their place/)
  const byRemover = await decide(admin)
  assert.equal(byRemover.status, 403, 'who sent them away does not decide for them')
  assert.match(byRemover.body.detail, /you took .*gone.* away within 72 hours/)
  assert.equal((await decide(other)).status, 200)

  const { items } = (await call('GET', `/audit?action=approval.approve`, undefined)).body
  assert.deepEqual(items[0].after.in_place_of, ['gone', 'away', 'lower'])
})
