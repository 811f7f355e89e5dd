import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createHttp } from '@manara/kit/http'
import { rememberCaller } from '../../../core/identity/caller.ts'
import { openDatabase } from '../../../db/database.ts'
import { createTrialsInTurn } from '../../../http/in-turn.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { until } from '../../../testing/until.ts'
import { type ContentDeps, contentRoutes } from '../content.routes.ts'
import { startMatcher } from '../stream/matcher.ts'

const BODIES = {
  preview: { name: 'Odd', query: 'odd', days: 1 },
  backtest: { all: true, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
}

/** The routes, over a store whose scans last until they are let go or nobody wants them. */
async function startTrials(t: TestContext) {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const scans: (() => void)[] = []
  let stopped = 0
  const threads = new Set<object>()
  const logs: Pick<LogStore, 'scan'> = {
    async *scan(_, { signal } = {}) {
      const held = Promise.withResolvers<void>()
      signal?.addEventListener('abort', () => {
        stopped += 1
        held.reject(signal.reason)
      })
      scans.push(held.resolve)
      await held.promise
      yield []
    },
  }
  const http = createHttp({ envelope: (detail) => ({ detail }), bodyLimit: 100_000 })
  t.after(() => http.close())
  http.addHook('onRequest', async (request) => {
    const username = String(request.headers['x-user'])
    const permissions = new Set(['detections:read', 'siem:search'])
    rememberCaller(request, {
      session: {
        principal: { username, role: 'analyst', permissions, kind: 'user' } as never,
        id: username,
        expiresAt: 0,
      },
      credential: { kind: 'token', value: '' },
    })
  })
  contentRoutes(http, {
    ...{ db: database.kysely, logs, now: Date.now },
    startMatcher() {
      const matcher = startMatcher()
      threads.add(matcher)
      const close = async () => {
        await matcher.close()
        threads.delete(matcher)
      }
      return { ...matcher, close }
    },
    isFieldMissing: () => false,
    missingFields: () => [],
    sameAlerts: async () => [],
    showLog: (log: object) => log,
    readThrough: (read: () => Promise<unknown>) => read(),
    previewsInTurn: createTrialsInTurn(),
    backtestsInTurn: createTrialsInTurn(),
  } as unknown as ContentDeps)
  const address = await http.listen({ host: '127.0.0.1', port: 0 })
  return { address, scans, threads, stopped: () => stopped }
}

for (const [path, body] of [
  ['/detections/rules/preview', BODIES.preview],
  ['/detections/backtest', BODIES.backtest],
] as const) {
  const promise = 'two at once, a fifth of one user is 429, and who goes away gives the turn back'
  test(`${path}: ${promise}`, async (t) => {
    const { address, scans, threads, stopped } = await startTrials(t)
    const ask = (user: string, signal?: AbortSignal) =>
      fetch(address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': user },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      })
    const scanning = async (count: number) => {
      await until(`${count} scans`, async () => scans.length >= count)
      assert.equal(scans.length, count)
      assert.ok(threads.size <= 2, `${threads.size} threads`)
    }

    const caller = new AbortController()
    const leaves = ask('ann', caller.signal)
    await scanning(1)
    const answers = [ask('ann'), ask('ann'), ask('ann')]
    await scanning(2)
    // Which of these comes last is left to the network: one of them has no place any more.
    answers.push(ask('ann'))
    const refused = await Promise.race(answers)
    assert.equal(refused.status, 429)
    const { detail } = (await refused.json()) as { detail: string }
    assert.match(detail, /at most 4 trials of one user.*let one end or cancel/)
    assert.equal(refused.headers.get('retry-after'), '1')
    answers.push(ask('bob'))
    await scanning(2)

    caller.abort()
    await assert.rejects(leaves)
    await scanning(3)
    assert.equal(stopped(), 1)

    for (let ended = 1; ended < 5; ended += 1) {
      await scanning(Math.min(ended + 2, 5))
      scans[ended]?.()
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 200, 200, 200, 429])
    assert.equal(threads.size, 0)
  })
}
