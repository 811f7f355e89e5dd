import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('of two who give the same node at once the second is told so', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const body = { name: 'edge', device_type: 'gateway', sparkplug_node: 'plant/edge' }
  const withoutNode = async () => {
    const made = { ...body, sparkplug_node: null }
    return (await soc.call('POST', '/cps/devices', { as, body: made })).body
  }
  const { id } = await withoutNode()
  const other = await withoutNode()
  const asked: ReturnType<typeof soc.call>[] = []
  // By somebody else, not yet committed.
  const taking = `UPDATE cps_devices SET sparkplug_node = 'plant/edge' WHERE id = '${id}'`
  await soc.holding(taking, async () => {
    asked.push(
      soc.call('POST', '/cps/devices', { as, body }),
      soc.call('PATCH', `/cps/devices/${other.id}`, {
        as,
        body: { sparkplug_node: body.sparkplug_node },
      }),
    )
    await until('both wait', async () => {
      const rows = await soc.query(`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%cps_devices%' AND wait_event_type = 'Lock'`)
      return rows.length === 2
    })
  })
  for (const { status, body: said } of await Promise.all(asked)) {
    assert.equal(status, 409, JSON.stringify(said))
    assert.equal(said.detail, `sparkplug_node: belongs to device ${id}`)
  }
})
