import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { ownerOf, silentLog, testDatabase } from '../testing/test-postgres.ts'
import { openDatabase } from './database.ts'
import type { Tables } from './tables.ts'

/** As others who use the server may have set them for all, or whoever made the database. */
const ODD = {
  search_path: 'elsewhere',
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'America/St_Johns',
  default_transaction_isolation: 'serializable',
  statement_timeout: '7s',
  lock_timeout: '7s',
  idle_in_transaction_session_timeout: '7s',
  idle_session_timeout: '7s',
}

async function oddDatabase() {
  const connection = await testDatabase()
  const owner = new pg.Client(ownerOf(connection))
  await owner.connect()
  for (const [name, value] of Object.entries(ODD)) {
    await owner.query(`ALTER DATABASE ${connection.database} SET ${name} = '${value}'`)
  }
  await owner.end()
  return connection
}

const settingsOf = async (db: Kysely<Tables>) => {
  const { rows } = await sql<{ name: string; setting: string }>`
    SELECT name, setting FROM pg_settings WHERE name = ANY(${Object.keys(ODD)})`.execute(db)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

test('whatever a database has set for its sessions, ours are as we need them', async (t) => {
  const connection = await oddDatabase()
  const database = await openDatabase({
    ...{ connection, owner: ownerOf(connection) },
    log: silentLog,
  })
  t.after(() => database.close())
  assert.ok(database.isAvailable())
  assert.deepEqual(await settingsOf(database.kysely), {
    search_path: 'public',
    DateStyle: 'ISO, MDY',
    IntervalStyle: 'postgres',
    TimeZone: 'UTC',
    default_transaction_isolation: 'read committed',
    statement_timeout: '0',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    idle_session_timeout: '0',
  })
  const moment = new Date('2026-03-04T05:06:07.089Z')
  const { rows } = await sql<{ at: Date }>`SELECT ${moment}::timestamptz AS at`.execute(
    database.kysely,
  )
  assert.deepEqual(rows, [{ at: moment }])
})

test('the schema of a new database is made as its owner all the same', async (t) => {
  const connection = await oddDatabase()
  const owner = new pg.Client(ownerOf(connection))
  await owner.connect()
  // A schema of that name comes first where nobody says otherwise.
  await owner.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE SCHEMA soc')
  await owner.query(`ALTER DATABASE ${connection.database} RESET search_path`)
  await owner.end()
  const database = await openDatabase({
    ...{ connection, owner: ownerOf(connection) },
    log: silentLog,
  })
  t.after(() => database.close())
  assert.ok(database.isAvailable())
})

test('what the connection string asks for stays', async (t) => {
  const connection = { ...(await oddDatabase()), options: '-c statement_timeout=90s' }
  const database = await openDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  const { statement_timeout } = await settingsOf(database.kysely)
  assert.equal(statement_timeout, '90000')
})
