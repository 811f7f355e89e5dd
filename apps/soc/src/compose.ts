import { readFileSync } from 'node:fs'
import { claimDataDir } from '@manara/kit/data-dir'
import { closeHttp } from '@manara/kit/http'
import { createLogger } from '@manara/kit/logging'
import type { Running } from '@manara/kit/service'
import manifest from '../package.json' with { type: 'json' }
import { startEmbeddedPostgres } from './adapters/embedded-postgres.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'

/** The only file that knows every name: builds, starts in order, and stops in the opposite order. */
export async function startSoc(config: Config): Promise<Running> {
  const log = createLogger({ service: 'soc', level: config.logLevel, pretty: config.prettyLog })
  await using undo = new AsyncDisposableStack()

  const claim = claimDataDir(config.dataDir)
  undo.defer(() => claim.release())

  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir, log)
  if (embedded) undo.defer(() => embedded.stop())

  const database = await openDatabase({
    connection: embedded?.connection ?? { connectionString: config.databaseUrl },
    log,
  })
  undo.defer(() => database.close())

  const http = await buildApp({
    logger: log,
    tls: config.tls && {
      cert: readFileSync(config.tls.certFile, 'utf8'),
      key: readFileSync(config.tls.keyFile, 'utf8'),
    },
    system: {
      mode: config.mode,
      version: manifest.version,
      isDatabaseAvailable: database.isAvailable,
    },
  })
  undo.defer(() => closeHttp(http, 1_000))
  const address = await http.listen({ host: config.host, port: config.port })

  const running = undo.move()
  return {
    banner: [
      `soc       ${address}`,
      `          mode ${config.mode}, data in ${config.dataDir}`,
      `          database: ${embedded ? 'embedded PostgreSQL' : 'DATABASE_URL'}`,
    ],
    stop: () => running.disposeAsync(),
  }
}
