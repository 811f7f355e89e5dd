import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { MIGRATIONS } from '../db/migrations.ts'
import { ownerOf, testDatabase } from './test-postgres.ts'

/** A database of its own in which no migration ran, to see what one makes of rows from before it. */
export async function emptySchema(t: TestContext) {
  const pool = new pg.Pool(ownerOf(await testDatabase()))
  // The server may end its connections before the pool has.
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  t.after(() => db.destroy())
  await sql`DROP SCHEMA public CASCADE`.execute(db)
  await sql`CREATE SCHEMA public`.execute(db)
  const migrateTo = async (isWanted: (name: string) => boolean) => {
    const some = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => isWanted(name)))
    const provider = { getMigrations: async () => some }
    const { error } = await new Migrator({ db, provider }).migrateToLatest()
    assert.equal(error, undefined)
  }
  return { db, migrateTo }
}
