import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { until } from '../../testing/until.ts'
import type { AuditEntry } from './entry.ts'
import { createRecordAudit } from './record-audit.ts'

const entryOf = (action: string): AuditEntry => ({
  ...{ actor: 'kim', actor_kind: 'user', action, target: 'session:1', outcome: 'refused' },
})

test('what happens while the entries of an outage are written is written too', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const { kysely } = database
  let isAvailable = false
  const audit = createRecordAudit({
    database: { kysely, isAvailable: () => isAvailable },
    wake: () => {},
    log: silentLog,
  })
  await audit.recordAudit([entryOf('during the outage')])
  const { begun } = await kysely.transaction().execute(async (tx) => {
    // An entry names the id of its user.
    await sql`LOCK TABLE users`.execute(tx)
    const begun = audit.writeWaiting()
    await until('the write waits', async () => {
      const waits = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(kysely)
      return waits.rows.length > 0
    })
    await audit.recordAudit([entryOf('as it ends')])
    return { begun }
  })
  await begun
  isAvailable = true
  await audit.recordAudit([entryOf('afterwards')])
  const rows = await kysely.selectFrom('audit_log').select('action').orderBy('id').execute()
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['during the outage', 'as it ends', 'afterwards'],
  )
})
