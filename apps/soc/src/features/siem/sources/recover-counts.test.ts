import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDuckdbLogs } from '../../../adapters/duckdb-logs.ts'
import { createDatabase } from '../../../db/database.ts'
import { storedLog } from '../../../testing/stored-log.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { PARSER } from '../normalise/parsed.ts'
import { createEventCounts } from './count-events.ts'
import { recoverCounts } from './recover-counts.ts'

test('what was stored and not counted before a kill is counted once by the next start', async (t) => {
  const database = createDatabase({ connection: await testDatabase(), log: silentLog })
  await database.start()
  t.after(() => database.close())
  const directory = mkdtempSync(path.join(tmpdir(), 'recover-counts-'))
  const logs = openDuckdbLogs({ directory, log: silentLog })
  t.after(async () => {
    await logs.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const minute = Date.UTC(2035, 0, 1, 10)
  const startedAt = minute + 90_000
  const event = (second: number, source: string, parser?: string) =>
    storedLog({
      ...{ at: minute + second * 1_000, source, message: `event ${second}` },
      fields: parser ? { [PARSER]: parser } : {},
    })
  await logs.append([
    ...[1, 2, 3].map((second) => event(second, 'door', 'linux.auth')),
    ...[61, 62].map((second) => event(second, 'door')),
    ...[5, 6].map((second) => event(second, 'lift')),
    // This one the new process takes in, and counts, itself.
    event(95, 'door'),
  ])
  const at = (moment: number) => new Date(moment).toISOString()
  await sql`UPDATE log_source_watch SET beat_at = ${at(minute + 40_000)}`.execute(database.kysely)
  const [first, second] = [at(minute), at(minute + 60_000)]
  await sql`INSERT INTO log_source_minutes (source, minute, events) VALUES
    ('door', ${first}, 2), ('door', ${second}, 1), ('lift', ${first}, 2)`.execute(database.kysely)
  const counts = createEventCounts()
  await recoverCounts({ db: database.kysely, logs, counts, startedAt })
  const [door, ...others] = counts.take()
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(door, { source: 'door', events: 2, read: 1 })
  assert.deepEqual(Object.fromEntries(door?.parsers ?? []), { 'linux.auth': 1, '': 1 })
  assert.deepEqual(door?.lastReceivedAt, minute + 62_000)
})

test('of a database in which nothing was ever counted nothing is looked for', async (t) => {
  const database = createDatabase({ connection: await testDatabase(), log: silentLog })
  await database.start()
  t.after(() => database.close())
  const logs = {
    scan(): never {
      assert.fail('an old store was read')
    },
  }
  const counts = createEventCounts()
  await recoverCounts({ db: database.kysely, logs, counts, startedAt: Date.now() })
  assert.deepEqual(counts.take(), [])
})
