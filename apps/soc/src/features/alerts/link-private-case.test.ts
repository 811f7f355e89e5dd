import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

test('who may not read a case neither takes an alert out of it nor hears of it', async (t) => {
  const soc = await startTestSoc(t)
  const [manager, analyst, viewer] = [
    await soc.signInAs('manager'),
    await soc.signInAs('analyst'),
    await soc.signInAs('viewer'),
  ]
  const raised = { title: 'Odd login', source: 'auth', severity: 'high' }
  const alert = (await soc.call('POST', '/alerts', { as: analyst, body: raised })).body.id
  const access = { mode: 'private', users: [], roles: [] }
  const open = async (more: object) => {
    const body = { title: 'Case', severity: 'high', ...more }
    return (await soc.call('POST', '/cases', { as: manager, body })).body.id
  }
  const [hidden, team] = [await open({ access, alert_ids: [alert] }), await open({})]
  const link = (as: string) =>
    soc.call('POST', `/alerts/${alert}/case-link`, { as, body: { case_id: team } })
  const refused = await link(analyst)
  assert.deepEqual(
    [refused.status, refused.body.detail],
    [409, `alert ${alert} is in another case`],
  )
  const { body } = await soc.call('GET', `/cases/${hidden}`, { as: manager })
  assert.deepEqual(body.alert_ids, [alert])

  const rule = { name: 'r', query: 'x:1' }
  const { id } = (await soc.call('POST', '/detections/rules', { as: manager, body: rule })).body
  const said = { verdict: 'true_positive', case_id: hidden, notes: 'they know' }
  const path = `/detections/rules/${id}/feedback`
  await soc.call('POST', path, { as: manager, body: said })
  assert.equal((await soc.call('GET', path, { as: manager })).body.total, 1)
  assert.equal((await soc.call('GET', path, { as: viewer })).body.total, 0)

  await soc.query(
    `INSERT INTO agent_runs (id, agent_id, key, attempt, status, summary, steps, findings, proposals,
      dropped, used, partial, started_at, completed_at)
     VALUES (gen_random_uuid(), 'agent-007', $1, 1, 'completed', 'a report', '[]', 0, 0, 0,
      '{"ms":1,"events":0,"queries":0}', NULL,
      now(), now())`,
    [`case:${hidden}:1`],
  )
  const runs = '/agents/agent-007/runs'
  const own = await soc.call('GET', runs, { as: manager })
  assert.equal(own.body.total, 1, JSON.stringify(own.body))
  assert.equal((await soc.call('GET', runs, { as: viewer })).body.total, 0)

  assert.equal((await link(manager)).status, 200)
})
