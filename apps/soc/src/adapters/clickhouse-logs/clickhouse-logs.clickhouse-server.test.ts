import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, type TestContext, test } from 'node:test'
import type { Pattern, Query } from '@manara/log-query/ast'
import { asking, describeLogStore, storedLog } from '../../ports/log-store.contract.ts'
import { startClickhouse } from '../../testing/clickhouse-servers.ts'
import { openClickhouseLogs } from './open.ts'

const shared = startClickhouse({ after }, 1)

/** A database of its own on the shared server. */
async function open(t: TestContext) {
  const [url = ''] = (await shared).urls
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await fetch(url, { method: 'POST', body: `CREATE DATABASE ${database}` })
  const store = openClickhouseLogs({ urls: [`${url}/${database}`] })
  t.after(() => store.close())
  return store
}

describeLogStore('ClickHouse', open)

test('a server that is away is 503 and says where; it is used again when it is back', async (t) => {
  const { urls, shards } = await startClickhouse(t, 1)
  const store = openClickhouseLogs({ urls })
  t.after(() => store.close())
  await store.append([storedLog({ id: 'before' })])
  await shards[0]?.stop()
  const refused = { status: 503, message: /ClickHouse at 127\.0\.0\.1:\d+ cannot be reached/ }
  await assert.rejects(store.append([storedLog({ id: 'lost' })]), refused)
  await assert.rejects(store.search(asking('*')), refused)
  await shards[0]?.start()
  await store.append([storedLog({ id: 'after' })])
  const { logs } = await store.search(asking('*'))
  assert.deepEqual(logs.map(({ id }) => id).toSorted(), ['after', 'before'])
})

test('a cluster of two shards', async (t) => {
  const { urls, shards } = await startClickhouse(t, 2)
  const store = openClickhouseLogs({ urls, cluster: 'soc' })
  t.after(() => store.close())
  const logs = Array.from({ length: 200 }, (_, index) => storedLog({ id: `log-${index}` }))
  await store.append(logs)

  await t.test('both hold a part, and a search sees all', async () => {
    for (const url of urls) {
      const reply = await fetch(url, { method: 'POST', body: 'SELECT count() FROM soc_logs' })
      assert.ok(Number(await reply.text()) > 50)
    }
    const { total, partial } = await store.search(asking('accepted'))
    assert.equal(total, 200)
    assert.equal(partial, null)
    assert.equal((await store.append(logs)).duplicates, 200)
    assert.equal((await store.stats()).events, 200)
  })

  await t.test(
    'with one down: what is found is marked as partial, and writing goes on',
    async () => {
      await shards[1]?.stop()
      const before = await store.search(asking('accepted'))
      assert.equal(before.partial?.reason, 'shard_unavailable')
      assert.match(before.partial?.detail ?? '', /^1 of 2 shards answered/)
      assert.ok(Number(before.total) > 0 && Number(before.total) < 200)
      const histogram = await store.histogram({ ...asking('*'), bucketMs: 3_600_000 })
      assert.equal(histogram.partial?.reason, 'shard_unavailable')
      const more = Array.from({ length: 20 }, (_, index) => storedLog({ id: `more-${index}` }))
      assert.equal((await store.append(more)).stored.length, 20)
      assert.equal((await store.search(asking('*'))).total, Number(before.total) + 20)
    },
  )

  await t.test('when it is back, all is found', async () => {
    await shards[1]?.start()
    const { total, partial } = await store.search(asking('*'))
    assert.equal(total, 220)
    assert.equal(partial, null)
  })
})

test('no value becomes SQL', async (t) => {
  const store = await open(t)
  const id = "'; DROP TABLE soc_logs; -- \\' \\\\ \n\t\u0000`"
  await store.append([storedLog({ id, message: id, fields: { [id]: id } })])
  assert.equal((await store.byId(id))?.message, id)
  const match: Pattern = { kind: 'pattern', parts: [id] }
  const field: Query = { kind: 'field', field: id, match }
  assert.equal((await store.search(asking('*', { query: field }))).total, 1)
  const text: Query = { kind: 'text', match }
  assert.equal((await store.search(asking('*', { query: text }))).total, 1)
  const { values } = await store.topValues({ ...asking('*'), field: id, limit: 1 })
  assert.deepEqual(values, [{ value: id, count: 1 }])
})
