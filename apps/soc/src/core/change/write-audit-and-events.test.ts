import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../db/database.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { writeAuditAndEvents } from './write-audit-and-events.ts'

test('what PostgreSQL cannot hold is replaced, and nothing else is', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const entry = {
    actor: 'a',
    actor_kind: 'user',
    action: 'x',
    target: 't',
    outcome: 'done',
  } as const
  const after = {
    nul: 'a\u0000b',
    half: 'a\ud83db',
    whole: 'a\u{1f600}b',
    typed: 'a\\u0000b \\\\ud83d',
    behindBackslash: 'a\\\u0000b',
  }
  await writeAuditAndEvents(database.kysely, [{ ...entry, after }], [])
  const row = await database.kysely.selectFrom('audit_log').select('after').executeTakeFirst()
  assert.deepEqual(row?.after, {
    ...after,
    nul: 'a\ufffdb',
    half: 'a\ufffdb',
    behindBackslash: 'a\\\ufffdb',
  })
})
