import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogListQuery } from '@manara/soc-contract/siem'
import fc from 'fast-check'
import type { Limits, SearchAnswer, SearchRequest } from '../../../ports/log-store.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { listLogs } from './list-logs.ts'
import { toLog } from './log-record.ts'
import type { ReadableLogs } from './readable-logs.ts'
import { showLogs } from './show-logs.ts'

test('what the store could not search in time, or count, is marked', async () => {
  const partial = { reason: 'time_limit', detail: 'stopped after 2 s' } as const
  const asked: (Limits | undefined)[] = []
  const search: ReadableLogs['search'] = async (_request, limits): Promise<SearchAnswer> => {
    asked.push(limits)
    return { logs: [], total: 10_000, isTotalExact: false, partial }
  }
  const limits = { timeLimitMs: 2_000, signal: new AbortController().signal }
  const list = await listLogs({ search } as ReadableLogs, LogListQuery.parse({}), 0, limits)
  assert.deepEqual(
    { total: list.total, exact: list.is_total_exact, partial: list.partial },
    { total: 10_000, exact: false, partial },
  )
  assert.deepEqual(asked, [limits])
})

test('with a shard away the total of the others is not exact', async () => {
  const partial = { reason: 'shard_unavailable', detail: 'one of two did not answer' } as const
  const search: ReadableLogs['search'] = async () => ({
    logs: [],
    total: 3,
    isTotalExact: true,
    partial,
  })
  const list = await listLogs({ search } as ReadableLogs, LogListQuery.parse({}), 0, {})
  assert.deepEqual([list.total, list.is_total_exact], [3, false])
})

test('a page of large events ends early, says so, and the cursor goes on behind it', async () => {
  const logs = Array.from({ length: 10 }, () => storedLog({ message: 'a'.repeat(1_000_000) }))
  const search: ReadableLogs['search'] = async ({ after, limit }) => {
    const from = after ? logs.findIndex(({ id }) => id === after.id) + 1 : 0
    return {
      ...{ logs: logs.slice(from, from + limit), total: 10, isTotalExact: true, partial: null },
    }
  }
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const asked = LogListQuery.parse({ limit: '8', ...(cursor ? { cursor } : {}) })
    const page = await listLogs({ search } as ReadableLogs, asked, 0, {})
    assert.ok(page.items.length <= 4)
    assert.equal(page.has_more, page.next_cursor !== null)
    assert.equal(
      page.notes.some((note) => note.startsWith('the page ends early')),
      page.has_more,
    )
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  assert.deepEqual(
    seen,
    logs.map(({ id }) => id),
  )
})

test('why nothing was found is said as far as it is known', async () => {
  const partial = { reason: 'time_limit', detail: 'stopped after 1 s' } as const
  const nothing = { logs: [], total: 0, isTotalExact: true, partial: null }
  const notesOn = async (q: string, slow: (request: SearchRequest) => boolean) => {
    const search: ReadableLogs['search'] = async (request) => {
      if (slow(request)) return { ...nothing, partial }
      return { ...nothing, logs: request.query.kind === 'all' ? [storedLog()] : [] }
    }
    const from = '2026-01-01T00:00:00Z'
    const asked = LogListQuery.parse({ q, from })
    return (await listLogs({ search } as ReadableLogs, asked, 0, {})).notes
  }
  const isEver = ({ time }: SearchRequest) => time.from === undefined
  assert.deepEqual(await notesOn('rare', isEver), ['rare matches nothing in this time'])
  const isAlone = ({ query, limit }: SearchRequest) => limit === 1 && query.kind === 'text'
  assert.deepEqual(await notesOn('rare seldom', isAlone), [
    'no event of this time meets all conditions',
  ])
})

const SECOND = 1_000

/** Their times in seconds; the store has no other. */
const storeOf = (seconds: number[]) =>
  showLogs(
    seconds.map((at, n) => toLog(storedLog({ id: String(n).padStart(5, '0'), at: at * SECOND }))),
  )

test('a page far down the list passes hours, minutes and seconds by their counts', async () => {
  const store = storeOf(Array.from({ length: 25_000 }, (_, n) => Math.floor(n / 3)))
  const skipped: number[] = []
  const search: ReadableLogs['search'] = (request, limits) => {
    skipped.push(request.skip)
    return store.search(request, limits)
  }
  const asked = LogListQuery.parse({ skip: '20001', limit: '3' })
  const page = await listLogs({ ...store, search }, asked, 0, {})
  assert.deepEqual(
    page.items.map(({ id }) => id),
    ['04998', '04997', '04996'],
  )
  assert.deepEqual([page.total, page.is_total_exact, page.has_more], [25_000, true, true])
  assert.ok(Math.max(...skipped) < 10_000, `${skipped}`)
  const behind = { ...asked, cursor: page.next_cursor ?? '' }
  await assert.rejects(listLogs(store, behind, 0, {}), /^AppError: skip: must be less than 10000/)
})

test('a page far down the list is there also where events are lost or away, and says so', async () => {
  const store = storeOf(Array.from({ length: 30 }, (_, n) => n))
  for (const reason of ['damaged', 'shard_unavailable'] as const) {
    const partial = { reason, detail: 'some are not there' }
    const histogram: ReadableLogs['histogram'] = async (request, limits) => ({
      ...(await store.histogram(request, limits)),
      partial,
    })
    const asked = LogListQuery.parse({ skip: '20', limit: '2' })
    const page = await listLogs({ ...store, histogram }, asked, 0, {}, 10)
    assert.deepEqual(
      page.items.map(({ id }) => id),
      ['00009', '00008'],
    )
    assert.deepEqual([page.partial, page.is_total_exact, page.has_more], [partial, false, true])
  }
})

test('however far down, a page is a part of the whole list', async () => {
  const seconds = fc.oneof(fc.nat(3), fc.nat(200), fc.nat(20_000))
  const property = fc.asyncProperty(
    fc.array(seconds, { maxLength: 60 }),
    fc.constantFrom('asc', 'desc'),
    fc.nat(70),
    async (given, order, skip) => {
      const store = storeOf(given)
      const list = (query: object, deep?: number) =>
        listLogs(store, LogListQuery.parse({ order, ...query }), 0, {}, deep)
      const whole = await list({ limit: '200' })
      const page = await list({ skip: String(skip), limit: '5' }, 2)
      assert.deepEqual(page.items, whole.items.slice(skip, skip + 5))
      assert.deepEqual([page.total, page.has_more], [given.length, skip + 5 < given.length])
    },
  )
  await fc.assert(property, { numRuns: 60 })
})
