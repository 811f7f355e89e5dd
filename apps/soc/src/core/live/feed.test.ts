import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { createFeed } from './feed.ts'

test('a listener that fails costs no other an event, and is told', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const feed = createFeed(database.kysely)
  const heard: number[] = []
  await feed.subscribe(() => {
    throw new Error('gone')
  })
  await feed.subscribe(({ seq }) => heard.push(seq))
  await sql`INSERT INTO outbox (event, data, seq) VALUES ('a', '{}', 1), ('b', '{}', 2)`.execute(
    database.kysely,
  )
  await assert.rejects(feed.pass(), /a listener failed/)
  assert.deepEqual(heard, [1, 2])
  assert.equal(await feed.pass(), false, 'nothing comes twice')
})
