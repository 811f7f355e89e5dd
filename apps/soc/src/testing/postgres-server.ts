import { createLogger } from '@manara/kit/logging'
import { sayReadyCluster } from '@manara/kit/testing/ready-cluster'
import pg from 'pg'
import { startEmbeddedPostgres } from '../adapters/embedded-postgres.ts'
import { type Database, openDatabase } from '../db/database.ts'

export const silentLog = createLogger({ service: 'test', level: 'silent', pretty: false })

/** With the rights of the one who owns the schema. */
export const ownerOf = <T extends object>(connection: T) => ({ ...connection, user: 'soc' })

export const TEMPLATE = 'soc_template'

export type PostgresServer = Awaited<ReturnType<typeof startPostgresServer>>

/** For many services at a time, each of which takes the more of them the slower the machine is. */
const CONNECTIONS = 400

export async function startPostgresServer(directory: string) {
  const embedded = await startEmbeddedPostgres(directory, silentLog, CONNECTIONS)
  const owner = new pg.Pool(embedded.owner).on('error', () => {})
  return {
    ...embedded,
    tell: (statement: string) => owner.query(statement),
    async stop() {
      await owner.end()
      await embedded.stop()
    },
  }
}

/** A database to copy from, with the schema in it. */
export async function makeTemplate({ connection, tell }: PostgresServer) {
  // Nothing here outlives the tests, and what survives a kill needs no fsync.
  await tell('ALTER SYSTEM SET fsync = off')
  await tell('SELECT pg_reload_conf()')
  await tell(`CREATE DATABASE ${TEMPLATE}`)
  await fill({ ...connection, database: TEMPLATE })
}

export async function fill(
  connection: PostgresServer['connection'],
  work: (database: Database) => Promise<unknown> = async () => {},
) {
  const database = await openDatabase({ connection, owner: ownerOf(connection), log: silentLog })
  await work(database)
  await database.close()
}

/** For all suites and services of a run, which work in `postgres`, to begin with. */
export async function makeReadyCluster(directory: string) {
  const server = await startPostgresServer(directory)
  await makeTemplate(server)
  await fill(server.connection)
  await server.stop()
  sayReadyCluster(directory)
}
