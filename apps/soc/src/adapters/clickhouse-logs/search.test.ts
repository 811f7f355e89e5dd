import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { asking, NOW, storedLog } from '../../ports/log-store.contract.ts'
import type { Cluster } from './cluster.ts'
import { NoAnswerInTime } from './deadline.ts'
import { toRow } from './rows.ts'
import { search } from './search.ts'

const DAY_MS = 86_400_000

test('what was found before a page that takes too long stays, and nothing older is looked for', async () => {
  let pages = 0
  const bounds = { amount: '9', earliest: String(NOW - DAY_MS), latest: String(NOW) }
  const cluster = {
    table: 'soc_logs',
    each: async () => ({ answers: [[bounds]], partial: null }),
    async select() {
      pages += 1
      if (pages === 1) return { rows: [toRow(storedLog({ id: 'new' }))], partial: null }
      await pause(50)
      throw new NoAnswerInTime('ClickHouse at one:8123 had not answered')
    },
  } as unknown as Cluster
  const answer = await search(cluster, asking('accepted'), { timeLimitMs: 50 })
  assert.deepEqual(
    answer.logs.map(({ id }) => id),
    ['new'],
  )
  assert.deepEqual([answer.total, answer.isTotalExact], [1, false])
  assert.deepEqual(answer.partial, {
    reason: 'time_limit',
    detail:
      'stopped after 0.05 s, when ClickHouse at one:8123 had not answered: ask for less time, or for more selective words, or look after that server',
  })
  assert.equal(pages, 2)
})
