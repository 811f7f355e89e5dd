import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('POST .../feedback about an alert or a case that is not there is 404 and keeps nothing', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('manager')
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await soc.call('POST', path, { as, body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id
  }
  const rule = await made('/detections/rules', { name: 'r', query: 'x:1' })
  const path = `/detections/rules/${rule}/feedback`
  for (const [what, id] of [
    ['alert', UNKNOWN],
    ['alert', 'no-id'],
    ['case', UNKNOWN],
    ['case', 'no-id'],
  ]) {
    const body = { verdict: 'true_positive', [`${what}_id`]: id }
    const refused = await soc.call('POST', path, { as, body })
    assert.deepEqual([refused.status, refused.body.detail], [404, `${what} ${id} not found`])
  }
  assert.equal((await soc.call('GET', path, { as })).body.total, 0)

  const alert = await made('/alerts', { title: 'Alert', source: 's' })
  const known = await made('/cases', { title: 'Case', access: { mode: 'private' } })
  const body = { verdict: 'true_positive', alert_id: alert, case_id: known.toUpperCase() }
  const { status, body: kept } = await soc.call('POST', path, { as, body })
  assert.deepEqual([status, kept.alert_id, kept.case_id], [201, alert, known])
  const longest = { verdict: 'needs_tuning', siem_log_id: 'x'.repeat(512) }
  const aboutEvent = await soc.call('POST', path, { as, body: longest })
  assert.deepEqual([aboutEvent.status, aboutEvent.body.siem_log_id], [201, longest.siem_log_id])
  const eve = await soc.signInAs('analyst', 'eve')
  assert.equal((await soc.call('GET', path, { as: eve })).body.total, 1, 'as it is written')
})
