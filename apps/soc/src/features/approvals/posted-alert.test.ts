import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentSoc } from '../../testing/agent-soc.ts'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

test('who posts the alert that makes the service ask has asked', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const { write, reaches } = playbookRuns(soc, admin)
  const daysLater = () =>
    soc.query(`UPDATE account_changes SET changed_at = changed_at - interval '4 days'`)
  const trigger = { on: 'alert.created', when: "alert.title != 'By step'" }
  const steps = [{ id: 'rest', action: 'wait', params: { seconds: 1 } }]
  await write({ trigger, is_critical: true, steps })
  const ask = { id: 'ask', action: 'request_approval', params: { action: 'go on' } }
  await write({ trigger: { ...trigger, when: "alert.title == 'By step'" }, steps: [ask] })
  let count = 0
  /** The approval that the service asks for when the alert is posted by whom these headers name. */
  async function asked(headers: Record<string, string>, title = `Alert ${++count}`) {
    const body = { title, source: 'test', severity: 'high' }
    const { id } = (await soc.call('POST', '/alerts', { headers, body })).body
    const list = () => soc.call('GET', `/soar/executions?alert_id=${id}`, { as: admin })
    await until('an execution', async () => (await list()).body.items.length > 0)
    const [{ id: execution }] = (await list()).body.items
    await reaches(execution, ({ status }) => status === 'pending_approval')
    const { items } = (await soc.call('GET', '/approvals', { as: admin })).body
    return items.find((one: { alert_id: string }) => one.alert_id === id).id as string
  }
  const decide = (id: string, as: string) =>
    soc.call('POST', `/approvals/${id}/decide`, { as, body: { approved: true } })
  /** What is said to whoever reads it, before they try, alone and in a list. */
  async function refusedTo(as: string, id: string): Promise<string | undefined> {
    const one = (await soc.call('GET', `/approvals/${id}`, { as })).body
    const { items } = (await soc.call('GET', '/approvals', { as })).body
    const listed = items.find((approval: { id: string }) => approval.id === id)
    assert.equal(listed.decision_refused, one.decision_refused)
    return one.decision_refused
  }
  const by = (token: string) => ({ authorization: `Bearer ${token}` })
  const keyOf = async (owner: string, as: string) => {
    const body = { name: 'k', scopes: ['alerts:write'] }
    const { body: made } = await soc.call('POST', `/users/${owner}/api-keys`, { as, body })
    return { 'x-api-key': made.key as string }
  }

  await t.test('who is alone decides, and the audit log says so', async () => {
    assert.equal((await decide(await asked(by(admin)), admin)).status, 200)
    const [entry] = await soc.query<{ after: object }>(
      `SELECT after FROM audit_log WHERE action = 'approval.approve'`,
    )
    assert.ok(entry && 'independent' in entry.after)
  })

  const kim = await soc.signInAs('manager', 'kim')
  const lee = await soc.signInAs('manager', 'lee')
  await daysLater()

  await t.test('and does not decide; somebody else does', async () => {
    const id = await asked(by(kim))
    const refused = await decide(id, kim)
    assert.equal(refused.status, 403)
    assert.equal(
      refused.body.detail,
      'who posted the alert that made the service ask for an approval cannot decide it: ask another manager or admin',
    )
    assert.equal(await refusedTo(kim, id), refused.body.detail)
    assert.equal(await refusedTo(lee, id), undefined)
    assert.equal((await decide(id, lee)).status, 200)
    const { body } = await soc.call('GET', `/approvals/${id}`, { as: kim })
    assert.equal(body.decision_refused, undefined, 'nobody decides it any more')
  })

  await t.test('nor of a step of what the alert began', async () => {
    const id = await asked(by(kim), 'By step')
    assert.equal((await decide(id, kim)).status, 403)
    assert.equal((await decide(id, lee)).status, 200)
  })

  await t.test('nor by a key of theirs, nor by one that they made for somebody else', async () => {
    const own = await asked(await keyOf('kim', admin))
    assert.equal((await decide(own, kim)).status, 403)
    const refused = await decide(own, admin)
    assert.equal(refused.status, 403)
    assert.equal(await refusedTo(admin, own), refused.body.detail)
    assert.match(
      refused.body.detail,
      /^admin and kim, who posted the alert that made the service ask, do not count as two people/,
    )
    assert.equal((await decide(own, lee)).status, 200)
  })

  await t.test('of an alert that a collector posts anybody decides', async () => {
    await soc.signInAs('service', 'edr')
    const key = await keyOf('edr', admin)
    await daysLater()
    assert.equal((await decide(await asked(key), kim)).status, 200)
  })
})

test('who posts an alert that an agent cites has asked for what the agent proposes', async (t) => {
  const soc = await agentSoc(t, 'PlaybookResponder', 'ApprovalGate')
  const kim = await soc.signInAs('manager', 'kim')
  const lee = await soc.signInAs('manager', 'lee')
  await soc.query(`UPDATE account_changes SET changed_at = changed_at - interval '4 days'`)
  await soc.query(`UPDATE playbooks SET enabled = id = 'block-indicators'`)
  /** What the agent proposes about an alert of the user's. */
  async function proposed(as: string, address: string) {
    const alert = { title: address, source: 'test', severity: 'critical', iocs: [address] }
    const { id } = (await soc.call('POST', '/alerts', alert, as)).body
    await soc.call('POST', '/cases', { title: address, severity: 'critical', alert_ids: [id] })
    await soc.worked('PlaybookResponder')
    await soc.worked('ApprovalGate')
    const about = (await soc.proposals('PlaybookResponder')).find(({ cites }) =>
      cites.alert_ids.includes(id),
    )
    assert.ok(about?.approval_id, address)
    return about
  }

  const { id, approval_id } = await proposed(kim, '203.0.113.66')
  const own = await soc.call('POST', `/agents/proposals/${id}/accept`, {}, kim)
  assert.equal(own.status, 403, JSON.stringify(own.body))
  assert.match(own.body.detail, /^who posted the alert that made the service ask/)
  const other = await soc.call('POST', `/approvals/${approval_id}/decide`, { approved: true }, kim)
  assert.equal(other.status, 403, 'on neither way')
  const done = await soc.call('POST', `/agents/proposals/${id}/accept`, {}, lee)
  assert.equal(done.status, 200, JSON.stringify(done.body))

  // The agent goes by alerts of all three who may approve: each has asked.
  const rests = await proposed(kim, '203.0.113.67')
  const cited = await Promise.all(
    [kim, lee, undefined].map(async (as, at) => {
      const alert = { title: `Cited ${at}`, source: 'test', severity: 'low' }
      return (await soc.call('POST', '/alerts', alert, as)).body.id as string
    }),
  )
  await soc.query(
    `UPDATE proposals SET cites = jsonb_set(cites, '{alert_ids}', $1) WHERE id = $2`,
    [JSON.stringify(cited), rests.id],
  )
  for (const as of [kim, lee]) {
    const read = await soc.call('GET', `/approvals/${rests.approval_id}`, undefined, as)
    assert.match(read.body.decision_refused, /^nobody can decide this now: .* Ask for the same/)
    const refused = await soc.call('POST', `/agents/proposals/${rests.id}/accept`, {}, as)
    assert.deepEqual([refused.status, refused.body.detail], [403, read.body.decision_refused])
  }
  await soc.signInAs('manager', 'mo')
  const { body } = await soc.call('GET', `/approvals/${rests.approval_id}`, undefined, lee)
  assert.match(body.decision_refused, /: ask another manager or admin$/, 'mo is another')
})
