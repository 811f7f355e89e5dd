import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../testing/test-soc.ts'

test('a case that a body names inside of what it proposes or cites is looked at too', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('manager', 'kim')
  const eve = await soc.signInAs('analyst', 'eve')
  const made = async (path: string, body: object) => {
    const reply = await soc.call('POST', path, { as: kim, body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id as string
  }
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
})
