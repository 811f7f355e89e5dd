import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { parseQuery } from '@manara/log-query/parse'
import { compilePredicate } from '@manara/log-query/predicate'
import { anyLog, anyQuery } from '@manara/log-query/testing/arbitrary'
import fc from 'fast-check'
import type { LogStore, SearchRequest, StoredLog } from './log-store.ts'

export const NOW = Date.UTC(2026, 2, 15, 12)
export const DAY = 86_400_000

export function storedLog(fields: Partial<StoredLog> = {}): StoredLog {
  return {
    id: randomUUID(),
    at: NOW,
    source: 'sshd',
    host: 'web-1',
    severity: 'info',
    message: 'Accepted publickey for deploy',
    user: null,
    process: null,
    event_code: null,
    src_ip: null,
    dst_ip: null,
    fields: {},
    received_at: NOW,
    original: null,
    ...fields,
  }
}

export function selecting(q: string) {
  const parsed = parseQuery(q, NOW)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return { query: parsed.query, time: {} }
}

export const asking = (q: string, request: Partial<SearchRequest> = {}): SearchRequest => ({
  ...selecting(q),
  skip: 0,
  limit: 50,
  order: 'desc',
  countUpTo: 10_000,
  ...request,
})

export const ids = (logs: { id: string }[]) => logs.map(({ id }) => id)

/** Ten minutes apart, the newest is `log-0`. */
export const series = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    storedLog({
      id: `log-${index}`,
      at: NOW - index * 600_000,
      host: `web-${index % 3}`,
      severity: index % 2 ? 'high' : 'info',
      fields: { index },
    }),
  )

/**
 * What every log store does; `open` gives an empty one that ends with the test, `openForMany` one in
 * which some hundred events are searched some hundred times.
 */
export function describeLogStore(
  name: string,
  open: (t: TestContext) => Promise<LogStore>,
  openForMany = open,
) {
  const holding = async (t: TestContext, logs: StoredLog[]) => {
    const store = await open(t)
    await store.append(logs)
    return store
  }

  test(`${name}: an event comes back as it was stored`, async (t) => {
    const log = storedLog({
      id: 'whole',
      message: 'تسجيل دخول \u{1f600} "quoted"\n',
      user: '',
      fields: {
        text: 'a\u001fb',
        number: 4624,
        fraction: 0.5,
        large: 1e21,
        flag: true,
        nothing: null,
        list: ['x', null, 3, false],
        empty: [],
        'process.name': 'bash',
        "it's": '1',
      },
      original: '{"a":[{"b":1}]}',
    })
    const store = await holding(t, [log])
    assert.deepEqual(await store.byId('whole'), log)
    assert.equal(await store.byId('other'), undefined)
  })

  test(`${name}: a value that begins with U+FEFF is the same wherever it is read`, async (t) => {
    const mark = '\ufeff'
    const fields = { f: `${mark}x`, only: mark, list: [`${mark}a`, 'b'], [`${mark}n`]: 1 }
    const log = storedLog({ id: `${mark}bom`, user: `${mark}adm`, message: `${mark}hi`, fields })
    const store = await holding(t, [log, ...series(300)])
    assert.deepEqual(await store.byId(log.id), log)
    for (const limit of [10, 1_000]) {
      const { logs } = await store.search(asking(`user:"${mark}adm"`, { limit }))
      assert.deepEqual(logs, [log])
    }
    assert.equal((await store.search(asking('user:adm'))).total, 0)
    const { values } = await store.topValues({ ...selecting('user:*'), field: 'user', limit: 10 })
    assert.deepEqual(values, [{ value: `${mark}adm`, count: 1 }])
  })

  test(`${name}: search is newest first, in pages by skip and by position, counted`, async (t) => {
    const logs = series(30)
    const store = await holding(t, logs)
    const page = await store.search(asking('*', { skip: 10, limit: 5 }))
    assert.deepEqual(ids(page.logs), ids(logs.slice(10, 15)))
    assert.equal(page.total, 30)
    assert.ok(page.isTotalExact)
    assert.equal(page.partial, null)

    const last = page.logs.at(-1) as StoredLog
    const next = await store.search(asking('*', { limit: 5, after: { at: last.at, id: last.id } }))
    assert.deepEqual(ids(next.logs), ids(logs.slice(15, 20)))
    assert.equal(next.total, 30, 'the position does not change how many there are')

    const oldest = await store.search(asking('*', { limit: 2, order: 'asc' }))
    assert.deepEqual(ids(oldest.logs), ['log-29', 'log-28'])
  })

  test(`${name}: events of one moment are ordered by id`, async (t) => {
    const store = await holding(
      t,
      ['b', 'é', 'a', 'Z', '\u{1f600}', '\uff5e'].map((id) => storedLog({ id })),
    )
    const { logs } = await store.search(asking('*', { order: 'asc' }))
    assert.deepEqual(ids(logs), ['Z', 'a', 'b', 'é', '\uff5e', '\u{1f600}'])
    const rest = await store.search(asking('*', { after: { at: NOW, id: 'b' } }))
    assert.deepEqual(ids(rest.logs), ['a', 'Z'])
  })

  test(`${name}: counting stops where it was told to`, async (t) => {
    const store = await holding(t, series(30))
    const counted = async (countUpTo: number, q = 'accepted') => {
      const { total, isTotalExact } = await store.search(asking(q, { limit: 3, countUpTo }))
      return { total, isTotalExact }
    }
    assert.deepEqual(await counted(10), { total: 10, isTotalExact: false })
    assert.deepEqual(await counted(10, '*'), { total: 10, isTotalExact: false })
    assert.deepEqual(await counted(31), { total: 30, isTotalExact: true })
    assert.deepEqual(await counted(0), { total: null, isTotalExact: false })
    const patient = await store.search(asking('accepted', { countUpTo: 10, countEvents: 10_000 }))
    assert.deepEqual([patient.total, patient.isTotalExact], [30, true])
  })

  test(`${name}: time ranges are half open, by event and by arrival`, async (t) => {
    const store = await holding(t, [
      storedLog({ id: 'early', at: NOW - 2, received_at: NOW }),
      storedLog({ id: 'from', at: NOW - 1, received_at: NOW + 1 }),
      storedLog({ id: 'to', at: NOW, received_at: NOW + 2 }),
    ])
    const time = { from: NOW - 1, to: NOW }
    assert.deepEqual(ids((await store.search(asking('*', { time }))).logs), ['from'])
    const received = { from: NOW + 1, to: NOW + 2 }
    assert.deepEqual(ids((await store.search(asking('*', { received }))).logs), ['from'])
  })

  test(`${name}: free text is found in values, never in names, whatever the case`, async (t) => {
    const store = await holding(t, [
      storedLog({ id: 'message', message: 'Failed Password for root' }),
      storedLog({ id: 'column', host: 'password-vault' }),
      storedLog({ id: 'field', fields: { CommandLine: 'net user /PASSWORDREQ' } }),
      storedLog({ id: 'list', fields: { args: ['a', 'my password'] } }),
      storedLog({ id: 'name', fields: { password: 'x' } }),
      storedLog({ id: 'across', fields: { a: 'pass', b: 'word' } }),
    ])
    const { logs } = await store.search(asking('password'))
    assert.deepEqual(ids(logs).toSorted(), ['column', 'field', 'list', 'message'])
  })

  test(`${name}: an id is stored once a day, in a batch, at once and later`, async (t) => {
    const store = await open(t)
    const twin = storedLog({ id: 'twin' })
    const first = await store.append([twin, storedLog({ id: 'other' }), twin])
    assert.equal(first.duplicates, 1)
    assert.deepEqual(ids(first.stored), ['twin', 'other'])
    const both = await Promise.all([
      store.append([storedLog({ id: 'race' })]),
      store.append([storedLog({ id: 'race' })]),
    ])
    assert.equal(both[0].duplicates + both[1].duplicates, 1)
    const later = await store.append([{ ...twin, received_at: NOW + DAY / 2 }])
    assert.deepEqual(later, { stored: [], duplicates: 1 })
    const nextDay = await store.append([{ ...twin, received_at: NOW + DAY + 2_000 }])
    assert.equal(nextDay.duplicates, 0)
    assert.equal((await store.stats()).events, 4)
  })

  test(`${name}: scan gives all, oldest first, and can be left`, async (t) => {
    const logs = series(1_203)
    const store = await holding(t, logs)
    const seen: string[] = []
    for await (const batch of store.scan(selecting('accepted'))) seen.push(...ids(batch))
    assert.deepEqual(seen, ids(logs).toReversed())
    for await (const batch of store.scan(selecting('host:web-0'))) {
      assert.ok(batch.length > 0)
      break
    }
  })

  test(`${name}: retention counts from the day an event came in, by source`, async (t) => {
    const store = await open(t)
    const came = (id: string, days: number, source: string, at = NOW) =>
      store.append([storedLog({ id, source, at, received_at: NOW - days * DAY })])
    await came('old', 10, 'sshd')
    await came('old-audit', 10, 'audit')
    await came('new-debug', 3, 'debug')
    await came('new', 3, 'sshd')
    await came('import', 0, 'sshd', NOW - 400 * DAY)
    const left = async () => ids((await store.search(asking('*'))).logs).toSorted()

    const retention = { days: 7, bytes: undefined, daysBySource: { audit: 30, debug: 1 } }
    assert.deepEqual(await store.retain(retention, NOW), { dropped: 2 })
    assert.deepEqual(await left(), ['import', 'new', 'old-audit'])
    assert.deepEqual(
      (await store.sources()).map(({ source, count }) => [source, count]),
      [
        ['audit', 1],
        ['sshd', 2],
      ],
    )
    await store.retain({ days: 7, bytes: undefined, daysBySource: {} }, NOW)
    assert.deepEqual(await left(), ['import', 'new'])
    await store.retain({ days: undefined, bytes: 1, daysBySource: {} }, NOW)
    assert.ok(!(await left()).includes('new'), 'too many bytes: the oldest day goes first')
  })

  test(`${name}: midnight among events appended together parts them`, async (t) => {
    const store = await open(t)
    const midnight = NOW - DAY / 2
    const came = [-1, 0, -1, 0].map((ms, index) =>
      storedLog({ id: `e-${index % 3}`, received_at: midnight + ms }),
    )
    assert.equal((await store.append(came)).duplicates, 1)
    assert.equal((await store.append(came)).duplicates, 4, 'sent again, they are known')
    await store.retain({ days: 0, bytes: undefined, daysBySource: {} }, NOW)
    assert.deepEqual(ids((await store.search(asking('*'))).logs), ['e-1'])
  })

  test(`${name}: a list of thousands of alternatives is searched`, async (t) => {
    const store = await holding(t, series(20))
    const list = (field: string) =>
      Array.from({ length: 5_000 }, (_, index) => `${field}x${index}`).join(' OR ')
    assert.equal((await store.search(asking(list('host:')))).total, 0)
    assert.equal((await store.search(asking(`${list('')} OR web-1 OR host:WEB-2`))).total, 13)
  })

  test(`${name}: a caller who has gone is told so`, async (t) => {
    const store = await holding(t, series(3))
    const gone = AbortSignal.abort()
    await assert.rejects(store.search(asking('*'), { signal: gone }), { name: 'AbortError' })
    const abort = new AbortController()
    const searching = store.search(asking('*'), { signal: abort.signal })
    abort.abort()
    await assert.rejects(searching, { name: 'AbortError' })
    assert.equal((await store.search(asking('*'))).total, 3)
  })

  test(`${name}: what no time is left for is marked as partial`, async (t) => {
    const store = await holding(t, series(3))
    const none = { timeLimitMs: 0 }
    const found = await store.search(asking('accepted'), none)
    assert.equal(found.partial?.reason, 'time_limit')
    assert.ok(!found.isTotalExact)
    const histogram = await store.histogram({ ...selecting('accepted'), bucketMs: DAY }, none)
    assert.equal(histogram.partial?.reason, 'time_limit')
    const top = await store.topValues({ ...selecting('*'), field: 'index', limit: 1 }, none)
    assert.equal(top.partial?.reason, 'time_limit')
    assert.equal((await store.fields(selecting('accepted'), none)).partial?.reason, 'time_limit')
  })

  test(`${name}: any query finds what the predicate finds`, async (t) => {
    const store = await openForMany(t)
    const logs = fc
      .sample(anyLog, { numRuns: 300, seed: 7 })
      .map((log, index) => ({ ...storedLog(log), id: `${index}-${log.id}` }))
    await store.append(logs)
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const matches = compilePredicate(query)
        const expected = ids(logs.filter(matches)).toSorted()
        const found = await store.search(asking('*', { query, limit: logs.length }))
        assert.deepEqual(ids(found.logs).toSorted(), expected)
        assert.equal(found.total, expected.length)
      }),
      { numRuns: 150 },
    )
  })
}
