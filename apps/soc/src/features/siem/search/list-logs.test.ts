import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogListQuery } from '@manara/soc-contract/siem'
import type { Limits, SearchAnswer } from '../../../ports/log-store.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { listLogs } from './list-logs.ts'
import type { ReadableLogs } from './readable-logs.ts'

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
