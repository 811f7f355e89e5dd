import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import { openDatabase } from '../../../db/database.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { changesOf } from '../../../testing/changes-of.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { until } from '../../../testing/until.ts'
import { insertReparse, reparseById } from './reparse.store.ts'
import { type ReparseDeps, runReparses } from './run-reparse.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 2, 1)
const PARSER = {
  ...{ id: randomUUID(), source: 'door' },
  definition: { kind: 'dissect', pattern: 'door %{door} opened%{?rest}' },
} as const

/** A process that reads again, on a store of events an hour from each other. */
async function setUp(t: TestContext, messages: string[], changed: Partial<ReparseDeps> = {}) {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-reparse-'))
  const logs = openDuckdbLogs({ directory, log: silentLog })
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  const db = database.kysely
  await logs.append(
    messages.map((message, n) =>
      storedLog({
        id: `e-${n}`,
        source: 'door',
        message,
        at: START + n * HOUR,
        received_at: START,
      }),
    ),
  )
  const { internalWorkflow } = changesOf(database)
  let wake = () => {}
  let passes = 0
  const reparses = (of: Partial<typeof logs> = {}) => {
    const running = runReparses({
      ...{ db, internalWorkflow, log: silentLog, now: Date.now, logs: { ...logs, ...of } },
      enabledParsers: async () => [PARSER],
      notifications: {
        on(_channel, listener) {
          wake = () => listener('')
        },
        onGap() {},
      },
      isReady() {
        passes += 1
        return true
      },
      ...changed,
    })
    t.after(() => running.stop())
    return running
  }
  t.after(async () => {
    await logs.close()
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const { id } = await insertReparse(db, { source: 'door', dry_run: false }, 'leila')
  return {
    db,
    id,
    logs,
    reparses,
    row: () => reparseById(db, id),
    wake: () => wake(),
    passes: () => passes,
  }
}

const opened = (count: number) => Array.from({ length: count }, (_, n) => `door ${n} opened`)

test('a task that another process took over is left to it', async (t) => {
  const { db, id, logs, reparses, row, wake, passes } = await setUp(t, opened(3))
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let isFinished = false
  reparses({
    async rewrite(changed: StoredLog[]) {
      begun.resolve()
      await held.promise
      return logs.rewrite(changed)
    },
    async finishRewrite() {
      isFinished = true
    },
  }).start()
  await begun.promise
  const other = randomUUID()
  await db
    .updateTable('log_reparses')
    .set({ claimed_by: other, claimed_until: new Date(Date.now() + HOUR) })
    .where('id', '=', id)
    .execute()
  held.resolve()
  wake()
  await until('it looks for another', () => passes() > 1)
  const { status, claimed_by } = await row()
  assert.deepEqual([status, claimed_by, isFinished], ['running', other, false])
})

test('a step that takes longer than a claim lasts keeps the claim', async (t) => {
  const { db, id, logs, reparses, row } = await setUp(t, opened(3), { keepMs: 10 })
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  reparses({
    async finishRewrite() {
      begun.resolve()
      await held.promise
      return logs.finishRewrite()
    },
  }).start()
  await begun.promise
  await db
    .updateTable('log_reparses')
    .set({ claimed_until: new Date(0) })
    .where('id', '=', id)
    .execute()
  await until('it is kept', async () => Number((await row()).claimed_until) > Date.now())
  held.resolve()
  await until('it is done', async () => (await row()).status === 'done')
})

test('what a killed process was writing is finished without reading all that comes after', async (t) => {
  const { db, id, logs, reparses, row } = await setUp(t, opened(400))
  const placeOf = (n: number) => ({ at: START + n * HOUR, id: `e-${n}` })
  const pending = { read: 10, changed: 10, failed: 0, examples: [], cursor: placeOf(19) }
  await db
    .updateTable('log_reparses')
    .set({
      ...{ status: 'running', total: 400, read: 10, changed: 10, pending: JSON.stringify(pending) },
      ...{ cursor_at: placeOf(9).at, cursor_id: placeOf(9).id, started_at: new Date() },
    })
    .where('id', '=', id)
    .execute()
  const read: number[] = []
  reparses({
    async *scan(...asked: Parameters<typeof logs.scan>) {
      const at = read.push(0) - 1
      for await (const page of logs.scan(...asked)) {
        read[at] = (read[at] ?? 0) + page.length
        yield page
      }
    },
  }).start()
  await until('it is done', async () => (await row()).status === 'done')
  assert.deepEqual(read, [11, 381], 'first what it was writing, then the rest')
  const { read: all, changed } = await row()
  assert.deepEqual([all, changed], ['400', '400'])
})

test('letters of two halves at the end of an example are no reason to fail', async (t) => {
  const faces = '😀'.repeat(2_000)
  const { reparses, row } = await setUp(t, [`door a opened${faces}`, `door bb opened${faces}`])
  reparses().start()
  await until('it is over', async () => (await row()).is_settled)
  const { status, error, examples } = await row()
  assert.deepEqual([status, error, examples.length], ['done', null, 2])
})
