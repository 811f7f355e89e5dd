import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { copyReadyCluster } from '@manara/kit/testing/ready-cluster'
import type { EmbeddedPostgres } from '../adapters/embedded-postgres.ts'
import type { Database } from '../db/database.ts'
import { fill, makeTemplate, startPostgresServer, TEMPLATE } from './postgres-server.ts'

export { ownerOf, silentLog } from './postgres-server.ts'

let server: ReturnType<typeof startServer> | undefined
let made = 0

/** One PostgreSQL for the whole test process, with the schema in a template to copy from. */
async function startServer() {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-test-pg-'))
  // Also when somebody ends the run: memory is not given back otherwise.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  const isReady = copyReadyCluster(directory)
  const started = await startPostgresServer(directory)
  if (!isReady) await makeTemplate(started)
  return {
    ...started,
    async stop() {
      await started.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * A fresh database with the schema and nothing in it: for one test, or for one file of tests. As a
 * copy of another one it has what that has.
 */
export async function testDatabase(of = TEMPLATE): Promise<EmbeddedPostgres['connection']> {
  server ??= startServer()
  const { connection, tell } = await server
  made += 1
  const database = `soc_test_${made}`
  // By files rather than through the log of the server: half the work.
  await tell(`CREATE DATABASE ${database} TEMPLATE ${of} STRATEGY FILE_COPY`)
  return { ...connection, database }
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
  await (await server)?.tell(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
}

after(async () => {
  await (await server)?.stop()
  server = undefined
})
