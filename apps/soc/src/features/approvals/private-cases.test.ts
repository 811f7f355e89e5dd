import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../testing/event-reader.ts'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

test('an approval that names a private case is shown to those who may read it', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const kim = await soc.signInAs('manager', 'kim')
  const mia = await soc.signInAs('manager', 'mia')
  const eve = await soc.signInAs('responder', 'eve')
  const { call, write } = playbookRuns(soc, admin)
  const opened = { title: 'Insider', access: { mode: 'private' } }
  const id: string = (await call('POST', '/cases', opened, kim)).body.id
  const named = '{{ params.c }}'
  const comment = { id: 'c', action: 'add_comment', params: { case_id: named, body: 'looked' } }
  const parameters = { c: { type: 'string', required: true } }
  const playbook = await write({ is_critical: true, parameters, steps: [comment] })
  const path = `/soar/playbooks/${playbook.id}/execute`
  const ask = async (c: string, as: string): Promise<string> => {
    const reply = await call('POST', path, { parameters: { c } }, as)
    assert.equal(reply.body.status, 'pending_approval', JSON.stringify(reply.body))
    return reply.body.approval_id
  }
  const listed = async (as: string): Promise<string[]> =>
    (await call('GET', '/approvals?limit=200', undefined, as)).body.items.map(
      (one: { id: string }) => one.id,
    )
  const waiting = async (as: string): Promise<number> =>
    (await call('GET', '/stats/overview', undefined, as)).body.work.pending_approvals

  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const heard = { kim: await readEvents(t, address, kim), mia: await readEvents(t, address, mia) }
  const told = (who: 'kim' | 'mia', approval: string) =>
    heard[who].received.filter(
      ({ event, data }) =>
        event.startsWith('approval.') && (data as { id: string }).id === approval,
    )

  for (const [what, c] of [
    ['by its id', id],
    ['in capitals', id.toUpperCase()],
  ] as const) {
    await t.test(`named ${what}`, async () => {
      const approval = await ask(c, kim)
      const read = (as: string) => call('GET', `/approvals/${approval}`, undefined, as)
      assert.equal((await read(mia)).status, 404)
      assert.equal((await read(admin)).status, 200)
      assert.ok(!('cases_named' in (await read(kim)).body), 'that is for the service alone')
      assert.ok(!(await listed(mia)).includes(approval))
      assert.ok((await listed(kim)).includes(approval))
      assert.deepEqual([await waiting(mia), await waiting(kim)], [0, 1])
      const decide = (as: string) =>
        call('POST', `/approvals/${approval}/decide`, { approved: true }, as)
      assert.equal((await decide(mia)).status, 404)
      assert.equal((await decide(admin)).status, 200)
      const replayed = await call('POST', `${path}?approval_id=${approval}`, undefined, kim)
      assert.equal(replayed.status, 200, JSON.stringify(replayed.body))
      await until('she who may read it heard of its use', () =>
        told('kim', approval).some(({ event }) => event === 'approval.consumed'),
      )
      const later = await ask('nothing', eve)
      await until('the other heard what came after', () => told('mia', later).length > 0)
      assert.deepEqual(told('mia', approval), [])
      const keys = told('kim', approval).flatMap(({ data }) => Object.keys(data as object))
      assert.ok(!keys.includes('cases_named'))
      await call('POST', `/approvals/${later}/decide`, { approved: false }, mia)
    })
  }

  await t.test('of a step, in an execution that names it', async () => {
    const look = { id: 'l', action: 'request_approval', params: { action: 'look further' } }
    const waiting = await write({ parameters, steps: [comment, look] })
    const begun = await call(
      ...([
        'POST',
        `/soar/playbooks/${waiting.id}/execute`,
        { parameters: { c: id } },
        kim,
      ] as const),
    )
    const of = ({ execution_id }: { execution_id: string | null }) =>
      execution_id === begun.body.execution_id
    const asked = async () => (await call('GET', '/approvals?limit=200')).body.items.find(of)?.id
    await until('the step asks', async () => (await asked()) !== undefined)
    const approval = `/approvals/${await asked()}`
    assert.equal((await call('GET', approval, undefined, mia)).status, 404)
    assert.equal((await call('GET', approval, undefined, kim)).status, 200)
    await call('POST', `${approval}/decide`, { approved: false })
  })

  await t.test('what its requester could not read does not count', async () => {
    const approval = await ask(id, eve)
    assert.ok((await listed(mia)).includes(approval))
    assert.equal((await call('GET', `/approvals/${approval}`, undefined, eve)).status, 200)
  })
})

test('GET /approvals/{id} is also for whoever asked for it', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const responder = await soc.signInAs('responder')
  const { call, write } = playbookRuns(soc, admin)
  const step = { id: 's', action: 'wait', params: { seconds: 0.01 } }
  const { id } = await write({ is_critical: true, steps: [step] })
  const ask = async (as: string): Promise<string> =>
    (await call('POST', `/soar/playbooks/${id}/execute`, {}, as)).body.approval_id
  const own = await ask(responder)
  const read = (approval: string, as: string) =>
    call('GET', `/approvals/${approval}`, undefined, as)
  assert.equal((await read(own, responder)).body.status, 'pending')
  await call('POST', `/approvals/${own}/decide`, { approved: true, reason: 'go' })
  const { status, decided_by, reason } = (await read(own, responder)).body
  assert.deepEqual([status, decided_by, reason], ['approved', 'admin', 'go'])

  const unknown = '00000000-0000-7000-8000-000000000000'
  for (const approval of [await ask(admin), unknown]) {
    const refused = await read(approval, responder)
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [404, `approval ${approval} not found`],
      'of somebody else it is as one that never was',
    )
  }
  assert.equal((await read(own, await soc.signInAs('viewer'))).status, 404)
  assert.equal((await call('GET', '/approvals', undefined, responder)).status, 403)
  const decided = await call('POST', `/approvals/${own}/decide`, { approved: true }, responder)
  assert.equal(decided.status, 403)
  const made = await soc.call('POST', '/users/responder/api-keys', {
    ...{ as: admin, body: { name: 'reads alerts', scopes: ['alerts:read'] } },
  })
  const withKey = await soc.call('GET', `/approvals/${own}`, {
    headers: { 'x-api-key': made.body.key },
  })
  assert.equal(withKey.status, 404, 'a key reads no more than its scopes say')
})
