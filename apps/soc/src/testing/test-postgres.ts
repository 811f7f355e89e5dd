import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../adapters/embedded-postgres.ts'
import { type Database, openDatabase } from '../db/database.ts'

export const silentLog = createLogger({ service: 'test', level: 'silent', pretty: false })

/** With the rights of the one who owns the schema. */
export const ownerOf = <T extends object>(connection: T) => ({ ...connection, user: 'soc' })

const TEMPLATE = 'soc_template'

let server: Promise<EmbeddedPostgres> | undefined
let made = 0

/** One PostgreSQL for the whole test process, with the schema in a template to copy from. */
async function startServer(): Promise<EmbeddedPostgres> {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-test-pg-'))
  // Also when somebody ends the run: memory is not given back otherwise.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  const embedded = await startEmbeddedPostgres(directory, silentLog)
  // Nothing here outlives the tests, and what survives a kill needs no fsync.
  await asOwner(embedded, 'ALTER SYSTEM SET fsync = off')
  await asOwner(embedded, 'SELECT pg_reload_conf()')
  await asOwner(embedded, `CREATE DATABASE ${TEMPLATE}`)
  await fill({ ...embedded.connection, database: TEMPLATE })
  return {
    ...embedded,
    async stop() {
      await embedded.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function fill(
  connection: EmbeddedPostgres['connection'],
  work: (database: Database) => Promise<unknown> = async () => {},
) {
  const database = await openDatabase({ connection, owner: ownerOf(connection), log: silentLog })
  await work(database)
  await database.close()
}

async function asOwner(embedded: EmbeddedPostgres, statement: string) {
  const client = new pg.Client(embedded.owner)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * A fresh database with the schema and nothing in it: for one test, or for one file of tests. As a
 * copy of another one it has what that has.
 */
export async function testDatabase(of = TEMPLATE): Promise<EmbeddedPostgres['connection']> {
  server ??= startServer()
  const embedded = await server
  made += 1
  const database = `soc_test_${made}`
  // By files rather than through the log of the server: half the work.
  await asOwner(embedded, `CREATE DATABASE ${database} TEMPLATE ${of} STRATEGY FILE_COPY`)
  return { ...embedded.connection, database }
}

/** The name of a database that was filled once, for others to be copies of. */
export async function filledDatabase(
  work: (database: Database) => Promise<unknown>,
): Promise<string> {
  const connection = await testDatabase()
  await fill(connection, work)
  return connection.database ?? ''
}

/** A thousand of them, at 12 MB each, would fill the disk. */
export async function dropDatabase({ database }: { database?: string | undefined }) {
  if (server) await asOwner(await server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
}

after(async () => {
  await (await server)?.stop()
  server = undefined
})
