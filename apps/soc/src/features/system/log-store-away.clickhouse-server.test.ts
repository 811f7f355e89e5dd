import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClickhouse } from '../../testing/clickhouse-servers.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

test('GET /health says that the logs are away or refuse, and stays 200: the rest goes on', async (t) => {
  const { urls, shards } = await startClickhouse(t, 1)
  const [url = ''] = urls
  const [shard] = shards
  const soc = await startTestSoc(t, { clickhouse: { urls, cluster: undefined } })
  const as = await soc.signIn()
  const becomes = (status: string, log_store: string) =>
    until(`${status}, logs ${log_store}`, async () => {
      const health = await soc.call('GET', '/health')
      assert.equal(health.status, 200)
      return health.body.status === status && health.body.log_store === log_store
    })
  const alert = (title: string) =>
    soc.call('POST', '/alerts', { as, body: { title, source: 's', severity: 'low' } })

  await becomes('ok', 'ok')
  await shard?.stop()
  await becomes('degraded', 'down')
  assert.equal((await alert('while it is away')).status, 201)
  await shard?.start()
  await becomes('ok', 'ok')

  shard?.fallSilent()
  await becomes('degraded', 'down')
  assert.equal((await alert('while it is silent')).status, 201)
  shard?.wake()
  await becomes('ok', 'ok')

  const ask = (statement: string) => fetch(url, { method: 'POST', body: statement })
  const send = () =>
    soc.call('POST', '/siem/logs', { as, body: { events: [{ message: 'an event' }] } })
  await ask('DETACH TABLE soc_log_ids')
  assert.ok((await send()).status >= 500)
  await becomes('degraded', 'read_only')
  assert.equal((await soc.call('GET', '/siem/logs', { as })).status, 200, 'reading goes on')
  await ask('ATTACH TABLE soc_log_ids')
  assert.equal((await send()).status, 200)
  await becomes('ok', 'ok')

  const refused = await startTestSoc(t, {
    clickhouse: { urls: [url.replace('//', '//nobody:hidden@')], cluster: undefined },
  })
  const { body } = await refused.call('GET', '/health')
  assert.partialDeepStrictEqual(body, { status: 'degraded', log_store: 'down' })
})
