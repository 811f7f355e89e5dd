import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDuckdbLogs } from '../../adapters/duckdb-logs.ts'
import { openDatabase } from '../../db/database.ts'
import type { StoredLog } from '../../ports/log-store.ts'
import { storedLog } from '../../testing/stored-log.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { until } from '../../testing/until.ts'
import { addBacklog } from './backlog.ts'
import { followArrivals } from './follow-arrivals.ts'
import type { LogBatch } from './log-batch.ts'

/** Followers in the place of processes, on one database and one log store that all can read. */
async function setUp(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-arrivals-'))
  const logs = openDuckdbLogs({ directory, log: silentLog })
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  const db = database.kysely
  t.after(async () => {
    await logs.close()
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    db,
    logs,
    follow(stream: string, lookAt: (batch: StoredLog[]) => Promise<void>, now = Date.now) {
      const look = (batch: LogBatch) => lookAt(batch.logs())
      const arrivals = followArrivals({
        ...{ db, stream, look, log: silentLog, now },
        follower: 'test',
        logs: { scan: logs.scan, engine: 'clickhouse' },
        isReady: database.isAvailable,
        refresh: async () => {},
        isWanted: () => true,
        beginsAt: now,
      })
      t.after(() => arrivals.stop())
      return arrivals
    },
  }
}

const MINUTE = 60_000

test('three processes on one store share a backlog: each reads a part, and together all', async (t) => {
  const { db, logs, follow } = await setUp(t)
  const from = Date.now() - 20 * MINUTE
  const events = Array.from({ length: 1_000 }, (_, n) =>
    storedLog({ id: `e-${n}`, received_at: from + n * 1_000 }),
  )
  await logs.append(events)
  await db
    .transaction()
    .execute((tx) =>
      addBacklog(tx, { follower: 'test', store: 'shared' }, { from, to: Date.now() }),
    )
  const seen = new Map<string, string[]>()
  const all = () => [...seen.values()].flat()
  // Nobody goes on before each has begun, so that none can be done alone.
  const begun = new Set<string>()
  const { promise: allHaveBegun, resolve: goOn } = Promise.withResolvers<void>()
  for (const name of ['one', 'two', 'three']) {
    follow(name, async (batch) => {
      begun.add(name)
      if (begun.size === 3) goOn()
      await allHaveBegun
      seen.set(name, [...(seen.get(name) ?? []), ...batch.map(({ id }) => id)])
    }).start()
  }
  await until('all events were looked at', () => new Set(all()).size === 1_000)
  assert.equal(all().length, 1_000, 'none was read twice')
  assert.deepEqual([...seen.keys()].sort(), ['one', 'three', 'two'])
  await until('the backlog is empty', async () => {
    const rows = await db.selectFrom('arrival_backlog').selectAll().execute()
    return rows.length === 0
  })
})

test('a page that cannot be read holds up no other', async (t) => {
  const { db, logs, follow } = await setUp(t)
  const from = Date.now() - 10 * MINUTE
  await logs.append([
    storedLog({ id: 'bad', received_at: from }),
    storedLog({ id: 'good', received_at: from + 5 * MINUTE }),
  ])
  await db
    .transaction()
    .execute((tx) =>
      addBacklog(tx, { follower: 'test', store: 'shared' }, { from, to: Date.now() }),
    )
  const seen: string[] = []
  follow('one', async (batch) => {
    if (batch.some(({ id }) => id === 'bad')) throw new Error('cannot be looked at')
    seen.push(...batch.map(({ id }) => id))
  }).start()
  await until('the other page was read', () => seen.includes('good'))
  const left = await db.selectFrom('arrival_backlog').select('received_from').execute()
  assert.ok(
    left.some(({ received_from }) => received_from.getTime() === from),
    'it is tried again later',
  )
})

test('what two fall behind with at once is one backlog', async (t) => {
  const { db } = await setUp(t)
  const of = { follower: 'test', store: 'shared' }
  const add = (from: number, to: number) =>
    db.transaction().execute((tx) => addBacklog(tx, of, { from, to }))
  await Promise.all([add(0, 100), add(50, 150), add(20, 80)])
  const rows = await db
    .selectFrom('arrival_backlog')
    .select(['received_from', 'received_to'])
    .orderBy('received_from')
    .execute()
  const lengths = rows.map((row) => row.received_to.getTime() - row.received_from.getTime())
  assert.equal(
    lengths.reduce((sum, length) => sum + length, 0),
    150,
  )
})

test('after the clock was set back, what others left is read at once, and the place is kept', async (t) => {
  const { db, logs, follow } = await setUp(t)
  const from = Date.now() - 10 * 60 * MINUTE
  await logs.append([storedLog({ id: 'left', received_at: from })])
  let now = Date.now()
  const seen: string[] = []
  follow(
    'one',
    async (batch) => void seen.push(...batch.map(({ id }) => id)),
    () => now,
  ).start()
  const placeOf = () => db.selectFrom('arrival_streams').select('received_until').execute()
  const isIdle = async () => {
    const rows = await db.selectFrom('arrival_backlog').select('id').execute()
    return rows.length === 0 && (await placeOf()).length === 1
  }
  await until('it waits for more', isIdle)
  now += 2_000
  await until('it has asked', isIdle)
  now -= 60 * MINUTE
  await db
    .transaction()
    .execute((tx) =>
      addBacklog(tx, { follower: 'test', store: 'shared' }, { from, to: from + MINUTE }),
    )
  await until('it was read', () => seen.includes('left'))
  await until('the place is kept', async () =>
    (await placeOf()).every(({ received_until }) => received_until.getTime() < now),
  )
})
