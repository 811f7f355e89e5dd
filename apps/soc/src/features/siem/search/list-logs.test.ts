import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogListQuery } from '@manara/soc-contract/siem'
import type { Limits, SearchAnswer } from '../../../ports/log-store.ts'
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
