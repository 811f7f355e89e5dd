import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

test('POST /alerts/bulk does not tell which alerts are in a private case', async (t) => {
  const soc = await startTestSoc(t)
  const kim = await soc.signInAs('manager', 'kim')
  const eve = await soc.signInAs('analyst', 'eve')
  const { id: alertId, status } = (
    await soc.call('POST', '/alerts', { as: kim, body: { title: 'Alert', source: 's' } })
  ).body
  const body = { title: 'Insider', alert_ids: [alertId], access: { mode: 'private' } }
  const { id } = (await soc.call('POST', '/cases', { as: kim, body })).body
  const bulk = (case_id: string, as: string) =>
    soc.call('POST', '/alerts/bulk', { as, body: { filter: { case_id }, status: 'closed' } })

  const never = await bulk(UNKNOWN, eve)
  assert.equal(never.status, 200, JSON.stringify(never.body))
  for (const hidden of [id, id.toUpperCase()]) {
    const { status: code, body: told } = await bulk(hidden, eve)
    assert.deepEqual([code, told], [never.status, never.body])
  }
  const alert = (await soc.call('GET', `/alerts/${alertId}`, { as: kim })).body
  assert.notEqual(alert.status, 'closed', `it was ${status}`)
  assert.equal((await bulk(id, kim)).body.updated, 1)
})
