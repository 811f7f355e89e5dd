import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Proposal } from '@manara/soc-contract/proposals'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('proposals', async (t) => {
  const soc = await startTestSoc(t, { hasAgents: true })
  await soc.call('POST', '/agents/Triage/disable', { as: await soc.signIn() })
  const analyst = await soc.signInAs('analyst')
  const manager = await soc.signInAs('manager')
  const call = (method: string, path: string, body?: unknown, as = analyst) =>
    soc.call(method, path, { as, body })
  let count = 0
  const raise = async (more: object = {}): Promise<string> => {
    count += 1
    const body = { title: `Alert ${count}`, source: 'test', severity: 'high', ...more }
    return (await call('POST', '/alerts', body)).body.id
  }
  const propose = (action: object, cites: object, as = analyst) =>
    call('POST', '/agents/proposals', { title: 'Do it', action, cites }, as)
  const caseOf = (alert_ids: string[]) => ({
    kind: 'open_case',
    title: 'One case',
    severity: 'high',
    description: '',
    alert_ids,
  })
  const read = async (id: string): Promise<Proposal> =>
    (await call('GET', `/agents/proposals/${id}`)).body
  const decide = (id: string, verb: string, body?: object, as = analyst) =>
    call('POST', `/agents/proposals/${id}/${verb}`, body, as)

  await t.test(
    'is stored with evidence, gated, accepted through an approval and undone',
    async () => {
      const alert = await raise()
      const made = await propose(caseOf([alert]), { alert_ids: [alert] })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const { id } = made.body
      assert.deepEqual(
        [made.body.effect, made.body.status, made.body.action_sha256.length],
        ['records', 'open', 64],
      )
      await until('the gate let it through', async () => (await read(id)).approval_id !== null)

      const own = await decide(id, 'accept')
      assert.equal(own.status, 403, 'who proposes does not decide')
      const done = await decide(id, 'accept', { reason: 'yes' }, manager)
      assert.equal(done.status, 200, JSON.stringify(done.body))
      assert.deepEqual([done.body.status, done.body.decided_by], ['accepted', 'manager'])
      const { case_id } = done.body.result
      assert.deepEqual((await call('GET', `/cases/${case_id}`)).body.alert_ids, [alert])
      const approval = await call('GET', `/approvals/${done.body.approval_id}`, undefined, manager)
      assert.deepEqual(
        [approval.body.status, approval.body.kind, approval.body.parameters.title],
        ['consumed', 'proposal', 'One case'],
      )
      assert.equal((await decide(id, 'accept', {}, manager)).status, 409)
      assert.equal((await propose(caseOf([alert]), { alert_ids: [alert] })).status, 409, 'a twin')

      const refused = await decide(id, 'undo', { reason: 'too early' })
      assert.deepEqual([refused.status, refused.body.detail], [403, 'requires cases:delete'])
      const undone = await decide(id, 'undo', { reason: 'too early' }, manager)
      assert.deepEqual([undone.status, undone.body.status], [200, 'undone'])
      assert.equal((await call('GET', `/cases/${case_id}`)).status, 404)
      const free = (await call('GET', `/alerts/${alert}`)).body
      assert.deepEqual([free.case_id, free.status], [null, 'triaged'])
    },
  )

  await t.test('what is decided as an approval is decided as a proposal', async () => {
    const alert = await raise()
    const { id } = (await propose(caseOf([alert]), { alert_ids: [alert] })).body
    await until('the gate let it through', async () => (await read(id)).approval_id !== null)
    const { approval_id } = await read(id)
    const body = { approved: true, reason: null }
    const reply = await call('POST', `/approvals/${approval_id}/decide`, body, manager)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    const done = await read(id)
    assert.equal(done.status, 'accepted')
    assert.ok(done.result?.case_id)
  })

  await t.test('evidence that is not there is 400, and none at all too', async () => {
    const gone = crypto.randomUUID()
    for (const [cites, field] of [
      [{}, 'cites'],
      [{ alert_ids: [gone] }, 'cites.alert_ids'],
      [{ log_ids: ['nowhere'] }, 'cites.log_ids'],
    ] as const) {
      const reply = await propose(caseOf([]), cites)
      assert.equal(reply.status, 400)
      assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
    }
  })

  await t.test('one whose target is gone is withdrawn with the reason', async () => {
    const alert = await raise()
    const { id: case_id } = (await call('POST', '/cases', { title: 'Gone soon' })).body
    const target = { kind: 'link_alerts', case_id, alert_ids: [alert] }
    // So that the gate looks at it only when its target is gone.
    await call('POST', '/agents/pause', { reason: 'a test' }, manager)
    const { id } = (await propose(target, { alert_ids: [alert] })).body
    assert.equal((await call('DELETE', `/cases/${case_id}`, undefined, manager)).status, 200)
    await call('POST', '/agents/resume', undefined, manager)
    await until('it is withdrawn', async () => (await read(id)).status === 'withdrawn')
    assert.match((await read(id)).status_reason ?? '', /^case .* is not there/)
  })

  await t.test('bytes that were changed after the proposal are not accepted', async () => {
    const alert = await raise()
    const { id } = (await propose(caseOf([alert]), { alert_ids: [alert] })).body
    await until('the gate let it through', async () => (await read(id)).approval_id !== null)
    await soc.query(
      `UPDATE proposals SET action = jsonb_set(action, '{title}', '"Another"') WHERE id = $1`,
      [id],
    )
    const reply = await decide(id, 'accept', {}, manager)
    assert.equal(reply.status, 409)
    assert.match(reply.body.detail, /is for another proposal/)
    assert.equal((await read(id)).status, 'open')
  })

  await t.test('an alert that was there before stays when it is undone', async () => {
    const known = await raise({ title: 'Known attack', source: 'hunt' })
    const log = { message: 'seen', host: 'web-1', source: 'test' }
    await call('POST', '/siem/logs', [{ ...log, id: 'seen-1' }], await soc.signIn())
    const again = {
      ...{ kind: 'raise_alert', title: 'Known attack', severity: 'low', description: '' },
      ...{ host: null, rule_id: null, log_id: 'seen-1', mitre_techniques: [] },
    }
    const { id } = (await propose(again, { log_ids: ['seen-1'] })).body
    const done = await decide(id, 'accept', {}, manager)
    assert.deepEqual(done.body.result, { alert_id: known, is_new: false })
    const refused = await decide(id, 'undo', {}, manager)
    assert.equal(refused.status, 409)
    assert.match(refused.body.detail, /was there before/)
    assert.equal((await call('GET', `/alerts/${known}`)).body.status, 'new')
  })

  await t.test('nobody gains a right by a proposal', async () => {
    const alert = await raise()
    const rule = { name: 'r', query: 'x:1' }
    const made = await call('POST', '/detections/rules', rule, manager)
    const suppress = {
      kind: 'suppress',
      rule_id: made.body.id,
      name: 'quiet',
      reason: '',
      criteria: { host: 'web-1' },
      suppress_for_hours: 24,
    }
    const { id } = (await propose(suppress, { alert_ids: [alert] }, manager)).body
    const refused = await decide(id, 'accept')
    assert.deepEqual([refused.status, refused.body.detail], [403, 'requires detections:write'])
    const admin = await soc.signIn()
    const done = await decide(id, 'accept', {}, admin)
    assert.equal(done.status, 200, JSON.stringify(done.body))
    const path = `/detections/rules/${made.body.id}/suppressions`
    assert.equal((await call('GET', path)).body.total, 1)
    await decide(id, 'undo', {}, admin)
    assert.equal((await call('GET', path)).body.total, 0)
  })

  await t.test(
    'a rejection needs a reason, teaches with a verdict, and can be undone',
    async () => {
      const rule = (await call('POST', '/detections/rules', { name: 'r2', query: 'x:2' }, manager))
        .body
      const alert = await raise({ rule_id: rule.id })
      const { id } = (await propose(caseOf([alert]), { alert_ids: [alert] })).body
      assert.match((await decide(id, 'reject', {})).body.detail, /^reason: /)
      const noRight = await decide(id, 'reject', { reason: 'no', verdict: 'false_positive' })
      assert.equal(noRight.status, 403, 'a verdict needs the right to give one')
      const body = { reason: 'a scanner of ours', verdict: 'false_positive' }
      const rejected = await decide(id, 'reject', body, manager)
      assert.deepEqual(
        [rejected.body.status, rejected.body.status_reason],
        ['rejected', 'a scanner of ours'],
      )
      const feedback = async () =>
        (await call('GET', `/detections/rules/${rule.id}/feedback`)).body.items
      const [given] = await feedback()
      assert.deepEqual(
        [given.verdict, given.alert_id, given.notes, given.created_by],
        ['false_positive', alert, 'a scanner of ours', 'manager'],
      )
      assert.equal((await propose(caseOf([alert]), { alert_ids: [alert] })).status, 409)
      const again = await decide(id, 'undo', {}, manager)
      assert.equal(again.body.status, 'open')
      assert.deepEqual(await feedback(), [])
    },
  )

  await t.test('nobody decided in time', async () => {
    const alert = await raise()
    const { id } = (await propose(caseOf([alert]), { alert_ids: [alert] })).body
    await until('the gate let it through', async () => (await read(id)).approval_id !== null)
    await soc.query(`UPDATE proposals SET expires_at = now() WHERE id = $1`, [id])
    await soc.query(`UPDATE agents SET due_at = now() WHERE id = 'agent-016'`)
    await until('it expired', async () => (await read(id)).status === 'expired')
    assert.equal((await decide(id, 'accept', {}, manager)).status, 409)
  })

  await t.test('lists by status, kind and agent', async () => {
    const { body } = await call('GET', '/agents/proposals?status=all&kind=open_case')
    assert.ok(body.total >= 4)
    assert.equal((await call('GET', '/agents/proposals?status=maybe')).status, 400)
    assert.equal((await call('GET', '/agents/proposals/nothing')).status, 404)
  })
})
