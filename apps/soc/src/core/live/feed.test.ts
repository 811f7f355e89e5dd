import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
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

/** Keeps back the answer to the first question until it is let go. */
function holdFirst() {
  const letGo = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let isFirst = true
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isHeld = isFirst
      isFirst = false
      asked.resolve()
      if (isHeld) await letGo.promise
      return result
    },
  }
  return { plugin, asked: asked.promise, letGo: letGo.resolve }
}

test('a second listener that begins at the same time takes no event from the first', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const held = holdFirst()
  const feed = createFeed(database.kysely.withPlugin(held.plugin))
  const heard: number[] = []
  const first = feed.subscribe(({ seq }) => heard.push(seq))
  await held.asked
  const second = await database.kysely.transaction().execute(async (tx) => {
    await sql`LOCK TABLE outbox_head IN ACCESS EXCLUSIVE MODE`.execute(tx)
    const waiting = feed.subscribe(() => {})
    held.letGo()
    await first
    await sql`INSERT INTO outbox (event, data, seq) VALUES ('a', '{}', 1)`.execute(tx)
    await sql`UPDATE outbox_head SET seq = 1`.execute(tx)
    return { waiting }
  })
  await second.waiting
  await feed.pass()
  assert.deepEqual(heard, [1])
})

test('a listener that could not begin is not kept', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const feed = createFeed(database.kysely)
  const heard: number[] = []
  await sql`DELETE FROM outbox_head`.execute(database.kysely)
  await assert.rejects(feed.subscribe(({ seq }) => heard.push(seq)))
  await sql`INSERT INTO outbox_head (seq) VALUES (0)`.execute(database.kysely)
  await feed.subscribe(() => {})
  await sql`INSERT INTO outbox (event, data, seq) VALUES ('a', '{}', 1)`.execute(database.kysely)
  await feed.pass()
  assert.deepEqual(heard, [])
})
