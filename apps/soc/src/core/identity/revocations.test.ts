import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { until } from '../../testing/until.ts'
import type { Session } from './principal.ts'
import { createRevocations } from './revocations.ts'

const sessionOf = (username: string): Session => ({
  principal: { username, role: 'viewer', permissions: new Set(), kind: 'user' },
  id: randomUUID(),
  expiresAt: Date.now() + 3_600_000,
})

test('who signs out while the sign-outs of an outage are written is written too', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const { kysely } = database
  let isAvailable = false
  const revocations = createRevocations({
    database: { kysely, isAvailable: () => isAvailable },
    sessions: { forget: () => {} },
  })
  await revocations.revoke(sessionOf('during the outage'))
  const writing = await kysely.transaction().execute(async (tx) => {
    await sql`LOCK TABLE revoked_tokens`.execute(tx)
    const begun = revocations.writeWaiting()
    await until('the write waits', async () => {
      const waits = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(kysely)
      return waits.rows.length > 0
    })
    await revocations.revoke(sessionOf('as it ends'))
    return { begun }
  })
  await writing.begun
  isAvailable = true
  await revocations.revoke(sessionOf('afterwards'))
  const rows = await kysely.selectFrom('revoked_tokens').select('username').execute()
  const names = rows.map(({ username }) => username).sort()
  assert.deepEqual(names, ['afterwards', 'as it ends', 'during the outage'])
})
