import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertListQuery } from '@manara/soc-contract/alerts'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../db/database.ts'
import { ownerOf, silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { listAlerts } from './list-alerts.ts'

test('of a word the index is asked for the parts that few alerts have', async (t) => {
  const connection = await testDatabase()
  const [service, owner] = await Promise.all(
    [connection, ownerOf(connection)].map((as) =>
      openDatabase({ connection: as, log: silentLog }),
    ) as [Promise<Database>, Promise<Database>],
  )
  t.after(() => Promise.all([service.close(), owner.close()]))
  const db = service.kysely
  const rare = async (word: string) => {
    const { rows } = await sql<{ parts: string[] }>`
      SELECT rare_parts('alerts_parts', ${word}) AS parts`.execute(db)
    return rows[0]?.parts
  }
  assert.deepEqual(await rare('user77'), ['use', 'ser', 'er7', 'r77'], 'before statistics')

  const titles = Array.from({ length: 1_000 }, (_, at) => `Logon of user${at}, who${at % 7}`)
  await sql`
    INSERT INTO alerts (id, title, source, severity, status, iocs, tags, mitre_techniques, dedup_hash)
    SELECT gen_random_uuid(), title, 'auth', 'low', 'new', '{}', '{}', '{}', title
    FROM unnest(${titles}::text[]) AS title`.execute(db)
  await sql`ANALYZE alerts`.execute(owner.kysely)
  assert.deepEqual(await rare('user77'), ['r77'])
  assert.deepEqual(await rare('user'), ['ser', 'use'], 'where all are frequent, the rarest')
  assert.deepEqual(await rare('xyz'), ['xyz'])
  for (const q of [
    'user77',
    'user',
    'ogon',
    'r7',
    'er77, ho3',
    'user999',
    'er1000',
    'logon user5',
  ]) {
    const naive = titles.filter((title) =>
      q.split(/,? /).every((word) => title.toLowerCase().includes(word)),
    )
    const page = await listAlerts(db, AlertListQuery.parse({ q, limit: '200' }))
    assert.equal(page.total, q === 'r7' ? 0 : naive.length, q)
    for (const { title } of page.items) assert.ok(naive.includes(title), `${q}: ${title}`)
  }
})
