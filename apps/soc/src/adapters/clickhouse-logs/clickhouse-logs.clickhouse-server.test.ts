import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import type { Pattern, Query } from '@manara/log-query/ast'
import { compilePredicate } from '@manara/log-query/predicate'
import {
  asking,
  DAY,
  describeLogStore,
  NOW,
  selecting,
  storedLog,
} from '../../ports/log-store.contract.ts'
import { describeLogCounts } from '../../ports/log-store-counts.contract.ts'
import { describeIds } from '../../ports/log-store-ids.contract.ts'
import { describeRewriting } from '../../ports/log-store-rewrite.contract.ts'
import { startClickhouse } from '../../testing/clickhouse-servers.ts'
import { until } from '../../testing/until.ts'
import { openClickhouseLogs } from './open.ts'

const shared = startClickhouse({ after }, 1)

/** A database of its own on the shared server, which can also be asked without the store. */
async function openBoth(t: TestContext, options: { deletingMs?: number } = {}) {
  const [url = ''] = (await shared).urls
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const ask = async (statement: string) => {
    const reply = await fetch(`${url}/?database=${database}`, { method: 'POST', body: statement })
    if (!reply.ok) throw new Error(await reply.text())
    return (await reply.text()).trim()
  }
  await fetch(url, { method: 'POST', body: `CREATE DATABASE ${database}` })
  const store = openClickhouseLogs({ urls: [`${url}/${database}`], ...options })
  t.after(() => store.close())
  return { store, ask }
}

const open = async (t: TestContext) => (await openBoth(t)).store

describeLogStore('ClickHouse', open)
describeLogCounts('ClickHouse', open)
describeIds('ClickHouse', open)
describeRewriting('ClickHouse', open)

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

test('a server that refuses is 503 with what to do; it is used again when it no longer refuses', async (t) => {
  const [url = ''] = (await shared).urls
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const store = openClickhouseLogs({ urls: [`${url}/${database}`] })
  const stranger = openClickhouseLogs({ urls: [url.replace('//', '//nobody:hidden@')] })
  t.after(() => Promise.all([store.close(), stranger.close()]))
  const missing = { status: 503, message: /has no such database: create it, or mend/ }
  await assert.rejects(store.append([storedLog({ id: 'one' })]), missing)
  await assert.rejects(store.search(asking('*')), missing)
  await assert.rejects(stranger.append([storedLog({ id: 'one' })]), {
    status: 503,
    message: /lets nobody in as that user: see the user and the password/,
  })
  await fetch(url, { method: 'POST', body: `CREATE DATABASE ${database}` })
  assert.equal((await store.append([storedLog({ id: 'one' })])).stored.length, 1)
  assert.equal((await store.search(asking('*'))).total, 1)
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
      await until('it says so', async () => store.state() === 'partial')
    },
  )

  await t.test('when it is back, all is found', async () => {
    await shards[1]?.start()
    const { total, partial } = await store.search(asking('*'))
    assert.equal(total, 220)
    assert.equal(partial, null)
    await until('it says so', async () => store.state() === 'up')
  })
})

test('a search of a server that falls silent ends within its limit, and so does what it began there', async (t) => {
  const { urls, shards } = await startClickhouse(t, 1)
  const [url = ''] = urls
  const [shard] = shards
  const store = openClickhouseLogs({ urls })
  t.after(() => store.close())
  await store.append([storedLog({ id: 'one' })])
  shard?.fallSilent()
  const limits = { timeLimitMs: 1_000 }
  const asked = await Promise.all([
    store.search(asking('*'), limits),
    store.search(asking('accepted'), limits),
    store.histogram({ ...asking('*'), bucketMs: 3_600_000 }, limits),
    store.histogram({ ...asking('accepted'), bucketMs: 3_600_000 }, limits),
    store.topValues({ ...asking('*'), field: 'user', limit: 5 }, limits),
    store.fields(asking('*'), limits),
  ])
  for (const { partial } of asked) {
    assert.equal(partial?.reason, 'time_limit')
    assert.match(
      partial.detail,
      /^stopped after 1 s, when ClickHouse at \S+ had not answered: .* look after that server/,
    )
  }
  const [{ logs, total, isTotalExact }] = asked
  assert.deepEqual({ logs, total, isTotalExact }, { logs: [], total: 0, isTotalExact: false })

  shard?.wake()
  await until('nothing of it runs', async () => {
    const running = await fetch(url, {
      method: 'POST',
      body: `SELECT count() FROM system.processes WHERE query LIKE '%soc_log%' AND query NOT LIKE '%processes%'`,
    })
    return (await running.text()).trim() === '0'
  })
  assert.equal((await store.search(asking('*'), limits)).total, 1, 'it is used again')
})

test('a page that takes too long ends in the server too', async (t) => {
  const { store, ask } = await openBoth(t)
  await store.append(Array.from({ length: 500 }, () => storedLog({ message: 'x'.repeat(2_000) })))
  // Many times the limit, and no longer than one waits: old servers look up between pieces only.
  const slow = Array.from({ length: 200 }, (_, at) => `/x+[yz]{${at + 1}}/`).join(' OR ')
  const { partial } = await store.search(asking(slow), { timeLimitMs: 500 })
  assert.equal(partial?.reason, 'time_limit')
  await until('it has ended', async () => {
    const running = await ask(
      `SELECT count() FROM system.processes WHERE query LIKE '%[yz]{200}%' AND query NOT LIKE '%processes%'`,
    )
    return running === '0'
  })
})

test('a search of a server that never said a word ends within its limit', async (t) => {
  const open = new Set<Socket>()
  const server = createServer((socket) => open.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store = openClickhouseLogs({ urls: [`http://127.0.0.1:${port}`] })
  t.after(async () => {
    await store.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { partial } = await store.search(asking('*'), { timeLimitMs: 500 })
  assert.equal(partial?.reason, 'time_limit')
  const leaving = new AbortController()
  const search = store.search(asking('*'), { signal: leaving.signal })
  const refused = assert.rejects(search, { name: 'AbortError' })
  leaving.abort()
  await refused
  const scanning = AbortSignal.timeout(1_000)
  const scan = store.scan(selecting('*'), { signal: scanning, timeLimitMs: 100 })
  const reading = scan[Symbol.asyncIterator]().next()
  await assert.rejects(reading, { name: 'TimeoutError' }, 'of its own patience')
})

test('an event whose insert goes on when its answer is lost is not stored twice', async (t) => {
  const [url = ''] = (await shared).urls
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const ask = async (statement: string) =>
    (await (await fetch(url, { method: 'POST', body: statement })).text()).trim()
  await ask(`CREATE DATABASE ${database}`)
  const open = new Set<Socket>()
  const between = createServer((socket) => {
    const onward = connect(Number(new URL(url).port), '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    for (const one of [socket, onward]) open.add(one.on('error', () => {}))
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const { port } = between.address() as AddressInfo
  const store = openClickhouseLogs({ urls: [`http://127.0.0.1:${port}/${database}`] })
  t.after(async () => {
    await store.close()
    for (const socket of open) socket.destroy()
    between.close()
  })
  await store.append([storedLog({ id: 'before' })])
  await ask(`ALTER TABLE ${database}.soc_logs ADD COLUMN slow UInt8 MATERIALIZED sleep(1)`)

  const lost = assert.rejects(store.append([storedLog({ id: 'once' })]), { status: 503 })
  await until('it is being stored', async () => {
    const running = await ask(
      `SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO soc_logs %'`,
    )
    return running === '1'
  })
  for (const socket of open) socket.destroy()
  await lost
  assert.equal((await store.append([storedLog({ id: 'once' })])).duplicates, 1)
  assert.equal((await store.search(asking('*'))).total, 2)
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

test('counts answer as events do: at the edges, after retention, when they were lost, when made anew', async (t) => {
  const { store, ask } = await openBoth(t)
  const minutes = [0, 14, 15, 31, 59, 60, 200, 1_500]
  const logs = [0, 1].flatMap((day) =>
    minutes.flatMap((minute, at) =>
      ['sshd', 'dns'].map((source) =>
        storedLog({
          source,
          severity: at % 3 ? 'info' : 'high',
          at: NOW - day * DAY - minute * 60_000 - at,
          received_at: NOW - day * DAY,
        }),
      ),
    ),
  )
  await store.append(logs)
  let kept = logs

  async function compare(when: string) {
    for (const time of [
      {},
      { from: NOW - 61 * 60_000 - 3 },
      { from: NOW - DAY - 1, to: NOW - 77 },
    ]) {
      for (const q of ['*', 'source:sshd', 'NOT severity:HIGH']) {
        const selection = { ...selecting(q), time }
        const matches = compilePredicate(selection.query)
        const expected = kept.filter(
          (log) =>
            log.at >= (time.from ?? -Infinity) && log.at < (time.to ?? Infinity) && matches(log),
        )
        const { buckets } = await store.histogram({ ...selection, bucketMs: 3_600_000 })
        const counts = buckets.map(({ from, counts }) => ({ from, count: counts.count }))
        const hours = Map.groupBy(expected, ({ at }) => Math.floor(at / 3_600_000) * 3_600_000)
        assert.deepEqual(
          counts,
          [...hours]
            .map(([from, own]) => ({ from, count: own.length }))
            .toSorted((a, b) => a.from - b.from),
          `${when}: ${q}`,
        )
        const { values } = await store.topValues({ ...selection, field: 'source', limit: 9 })
        assert.equal(
          values.reduce((sum, { count }) => sum + count, 0),
          expected.length,
        )
        const found = await store.search(asking(q, { ...selection, limit: 1, countEvents: 1_000 }))
        assert.equal(found.total, expected.length)
      }
    }
    const ofSources = Map.groupBy(kept, ({ source }) => source)
    assert.deepEqual(
      await store.sources(),
      [...ofSources].toSorted().map(([source, own]) => ({
        source,
        count: own.length,
        firstAt: Math.min(...own.map(({ at }) => at)),
        lastAt: Math.max(...own.map(({ at }) => at)),
      })),
    )
  }
  const countsOf = () => ask('SELECT countMerge(events) FROM soc_log_counts')

  await compare('stored')
  assert.equal(await countsOf(), String(kept.length))
  await store.retain({ days: undefined, bytes: undefined, daysBySource: { dns: 1 } }, NOW + DAY)
  kept = logs.filter(({ source, received_at }) => source !== 'dns' || received_at === NOW)
  await compare('without old events of a source')
  assert.equal(await countsOf(), String(kept.length))
  await ask(`ALTER TABLE soc_log_counts DROP PARTITION '2026-03-14'`)
  await compare('with lost counts')
  await store.retain({ days: undefined, bytes: undefined, daysBySource: {} }, NOW)
  assert.equal(await countsOf(), String(kept.length))
  await compare('with new counts')
  await store.retain({ days: 0, bytes: undefined, daysBySource: {} }, NOW)
  kept = kept.filter(({ received_at }) => received_at === NOW)
  await compare('after a day was dropped')
  assert.equal(await countsOf(), String(kept.length))
})

test('a server that does not come to delete events drops days all the same', async (t) => {
  const { store, ask } = await openBoth(t, { deletingMs: 10 })
  for (const day of [0, 1, 2]) {
    const received_at = NOW - day * DAY
    await store.append(
      ['sshd', 'dns'].map((source) => storedLog({ id: `${source}-${day}`, source, received_at })),
    )
  }
  await ask('SYSTEM STOP MERGES')
  t.after(() => ask('SYSTEM START MERGES'))
  for (const bytes of [undefined, 1]) {
    const retained = store.retain({ days: undefined, bytes, daysBySource: { dns: 1 } }, NOW)
    await assert.rejects(retained, { status: 503, message: /does not come to delete events/ })
  }
  const { logs } = await store.search(asking('*'))
  assert.deepEqual(logs.map(({ id }) => id).toSorted(), ['dns-0', 'sshd-0'])
  const asked = await ask(`SELECT count() FROM system.mutations WHERE database = currentDatabase()`)
  assert.equal(asked, '1', 'they do not pile up')
})

test('a search whose caller has gone is ended in the server, which counts as there', async (t) => {
  const { store, ask } = await openBoth(t)
  await store.append(Array.from({ length: 2_000 }, () => storedLog({ message: 'x'.repeat(2_000) })))
  const slow = Array.from({ length: 400 }, (_, at) => `/x+y${at}z/`).join(' OR ')
  const running = () =>
    ask(
      `SELECT count() FROM system.processes WHERE query LIKE '%x+y399z%' AND query NOT LIKE '%processes%'`,
    )
  // One that was over before its caller could go has shown nothing.
  await until('one is left', async () => {
    const leaving = new AbortController()
    const search = store.search(asking(slow), { signal: leaving.signal })
    const end = search.then(
      () => 'found all',
      (error: Error) => error.name,
    )
    await Promise.race([end, until('it runs', async () => (await running()) !== '0')])
    leaving.abort()
    return (await end) === 'AbortError'
  })
  await until('it has ended', async () => (await running()) === '0')
  // Of a server that is away nothing would go.
  const retention = { days: 0, bytes: undefined, daysBySource: {} }
  assert.equal((await store.retain(retention, NOW + 2 * DAY)).dropped, 2_000)
})
