import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertCreate } from '@manara/soc-contract/alerts'
import { sql } from 'kysely'
import { writeAuditAndEvents } from '../core/change/write-audit-and-events.ts'
import { raiseAtOnce } from '../features/alerts/raise-at-once.ts'
import { silentLog, testDatabase } from '../testing/test-postgres.ts'
import { openDatabase } from './database.ts'

const caller = { actor: 'a', actor_kind: 'user', address: '::1', request_id: 'r' } as const
const member = { caller, inContext: <T>(work: () => T) => work() }
/** PostgreSQL looks at so many values before it keeps a plan. */
const FIRST_LOOKS = 5

test('statements with few rows each are planned once for a connection', async (t) => {
  const connection = { ...(await testDatabase()), max: 1 }
  const database = await openDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  const db = database.kysely

  const rounds = 20
  for (let round = 0; round < rounds; round += 1) {
    const entry = { ...caller, action: 'x', target: 't', outcome: 'done' } as const
    await writeAuditAndEvents(db, [entry], [])
    const alert: AlertCreate = {
      ...{ title: `alert ${round}`, source: 's', severity: 'high', status: 'new' },
      ...{ iocs: [], tags: [], mitre_techniques: [] },
    }
    assert.ok(await raiseAtOnce(db, [member], [alert]))
  }

  const { rows } = await sql<{ kept: string; anew: string }>`
    SELECT generic_plans AS kept, custom_plans AS anew FROM pg_prepared_statements
    WHERE statement LIKE '/* kept */%'`.execute(db)
  assert.deepEqual(
    rows.map(({ kept, anew }) => [Number(kept), Number(anew)]),
    Array.from({ length: 2 }, () => [rounds - FIRST_LOOKS, FIRST_LOOKS]),
  )
})
