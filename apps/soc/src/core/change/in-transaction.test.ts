import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompiledQuery, type Kysely } from 'kysely'
import { openDatabase } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { ownerOf, silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { committed } from './in-transaction.ts'
import type { ChangeContext } from './operator-change.ts'
import { tryInside } from './try-inside.ts'

async function open(t: { after(done: () => unknown): void }) {
  const connection = ownerOf(await testDatabase())
  const database = await openDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  const run = (db: Kysely<Tables>, text: string) => db.executeQuery(CompiledQuery.raw(text))
  await run(database.kysely, 'CREATE TABLE words (word text)')
  await run(
    database.kysely,
    `CREATE FUNCTION fail(code text) RETURNS text LANGUAGE plpgsql AS
     $$BEGIN RAISE EXCEPTION 'failed' USING ERRCODE = code; END$$`,
  )
  const words = async () => (await run(database.kysely, 'SELECT word FROM words')).rows.length
  const failing = (db: Kysely<Tables>, how: string) =>
    run(db, `WITH first AS (INSERT INTO words VALUES ('a')) INSERT INTO words SELECT ${how}`)
  return { database, run, failing, words }
}

test('when the connection is lost under way nothing is left, and it is not tried again', async (t) => {
  const { database, failing, words } = await open(t)
  let attempts = 0
  const lost = committed(database, (tx) => {
    attempts += 1
    return failing(tx, 'pg_terminate_backend(pg_backend_pid())::text')
  })
  await assert.rejects(lost, (error: Error) => !/look whether/.test(error.message))
  assert.equal(attempts, 1)
  assert.equal(await words(), 0)
})

test('when the connection is lost while saving nobody knows, which is said', async (t) => {
  const { database, run } = await open(t)
  // It ends the connection when it is committed.
  await run(
    database.kysely,
    `CREATE FUNCTION end_here() RETURNS trigger LANGUAGE plpgsql AS
     $$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$;
     CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON words DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION end_here()`,
  )
  const lost = committed(database, (tx) => run(tx, "INSERT INTO words VALUES ('a')"))
  await assert.rejects(lost, { status: 503, message: /look whether the change is there/ })
})

test('a full disk and any other refusal leave nothing, and say why', async (t) => {
  const { database, failing, words } = await open(t)
  for (const code of ['53100', '23514']) {
    await assert.rejects(
      committed(database, (db) => failing(db, `fail('${code}')`)),
      { code },
    )
  }
  assert.equal(await words(), 0)
})

test('what was undone in favour of others is tried again', async (t) => {
  const { database, failing, words } = await open(t)
  const tries = ["fail('40P01')", "fail('40001')", "'b'"]
  await committed(database, (db) => failing(db, tries.shift() ?? ''))
  assert.equal(await words(), 2)
})

test('so is a part of a change that may fail without the rest', async (t) => {
  const { database, failing, words } = await open(t)
  const tries = ["fail('40P01')", "'b'"]
  const failed = await committed(database, (tx) =>
    tryInside({ tx } as ChangeContext, async () => void (await failing(tx, tries.shift() ?? ''))),
  )
  assert.equal(failed, undefined)
  assert.equal(await words(), 2)
})

test('a database that is known to be away is not asked', async (t) => {
  const { database } = await open(t)
  const away = { ...database, isAvailable: () => false }
  const refused = committed(away, async () => assert.fail('asked'))
  await assert.rejects(refused, { status: 503, message: /nothing was changed/ })
})

test('what found a name free that was taken meanwhile looks again, and a bug ends', async (t) => {
  const { database, failing } = await open(t)
  let attempts = 0
  const again = committed(database, async (tx) => {
    attempts += 1
    return attempts > 1 ? 'told' : failing(tx, "fail('23505')")
  })
  assert.equal(await again, 'told')
  await assert.rejects(
    committed(database, (tx) => failing(tx, "fail('23505')")),
    { code: '23505' },
  )
})
