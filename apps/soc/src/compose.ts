import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { claimDataDir } from '@manara/kit/data-dir'
import { closeHttp, type Http } from '@manara/kit/http'
import { createLogger } from '@manara/kit/logging'
import type { Running } from '@manara/kit/service'
import manifest from '../package.json' with { type: 'json' }
import { startEmbeddedPostgres } from './adapters/embedded-postgres.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type DatabaseOptions, openDatabase } from './db/database.ts'
import { alertIdsOf, linkAlerts, moveAlerts, releaseAlerts } from './features/alerts/case-alerts.ts'
import { noteInCases } from './features/cases/note-in-cases.ts'
import { openCase } from './features/cases/open-case.ts'
import { startBackground } from './http/background.ts'
import { createFirstAdmin } from './http/identity/first-admin.ts'
import { startIdentity } from './http/identity/start-identity.ts'
import { createOperatorChange } from './http/operator-change.ts'
import { createRateLimits } from './http/rate-limits.ts'
import { createReads } from './http/reads.ts'
import { sessionCookie } from './http/session-cookie.ts'
import { showcase } from './http/showcase/showcase.ts'

/** The only file that knows every name: builds, starts in order, and stops in the opposite order. */
export async function startSoc(config: Config): Promise<Running> {
  const log = createLogger({ service: 'soc', level: config.logLevel, pretty: config.prettyLog })
  await using undo = new AsyncDisposableStack()

  const claim = claimDataDir(config.dataDir)
  undo.defer(() => claim.release())

  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir, log)
  if (embedded) undo.defer(() => embedded.stop())

  const soc = await assembleSoc(config, {
    log,
    connection: embedded?.connection ?? { connectionString: config.databaseUrl },
  })
  undo.defer(() => soc.stop())
  const address = await soc.http.listen({ host: config.host, port: config.port })

  const banner = [
    `soc       ${address}`,
    `          mode ${config.mode}, data in ${config.dataDir}`,
    `          database: ${embedded ? 'embedded PostgreSQL' : 'DATABASE_URL'}`,
  ]
  // After the port is ours: a password made for a start that fails would be lost.
  let say = (line: string) => void banner.push(line)
  await soc.makeFirstAdmin((password) => say(`admin password: ${password}`))
  say = (line) => void process.stdout.write(`${line}\n`)

  const running = undo.move()
  return { banner, stop: () => running.disposeAsync() }
}

export type Soc = {
  http: Http
  /** Now, or when the database comes; tells the password if it was generated. */
  makeFirstAdmin(tell: (password: string) => void): Promise<void>
  stop(): Promise<void>
}

/** Everything but the embedded engine and the port: what tests take apart and put together. */
export async function assembleSoc(
  config: Config,
  engine: DatabaseOptions & { keepAliveMs?: number },
): Promise<Soc> {
  const { mode } = config
  const { log } = engine
  await using undo = new AsyncDisposableStack()

  const database = await openDatabase(engine)
  undo.defer(() => database.close())
  const db = database.kysely

  const background = await startBackground({ connection: engine.connection, database, log })
  undo.defer(() => background.stop())
  const { notifications, recordAudit, feed } = background

  const identity = await startIdentity({
    database,
    notifications,
    keyFile: path.join(config.dataDir, 'token.key'),
  })
  const limits = createRateLimits({ rates: config.rates, database })
  const { readThrough } = createReads({ database, mode, showcase })
  const { operatorChange } = createOperatorChange({
    database,
    mode,
    recordAudit,
    wake: background.wake,
  })
  const cookie = sessionCookie(config.tls !== undefined)

  const alertsOfCases = { linkAlerts, releaseAlerts, moveAlerts, alertIdsOf }
  const http = await buildApp({
    logger: log,
    tls: config.tls && {
      cert: readFileSync(config.tls.certFile, 'utf8'),
      key: readFileSync(config.tls.keyFile, 'utf8'),
    },
    guard: {
      sessions: identity.sessions,
      cookieName: cookie.name,
      recordAudit,
      limitGeneral: limits.limit('general'),
    },
    auth: {
      database,
      mode,
      recordAudit,
      adminPassword: config.adminPassword,
      tokens: identity.tokens,
      throttle: identity.throttle,
      revoke: identity.revoke,
      cookie,
    },
    users: {
      db,
      readThrough,
      async identityChange(request, reply, status, work) {
        const record = await operatorChange(request, reply, status, work)
        await notifications.caughtUp()
        return record
      },
    },
    audit: { db, readThrough },
    alerts: {
      db,
      readThrough,
      operatorChange,
      openCase: (change, fields) => openCase(alertsOfCases, change, fields),
      noteInCases,
    },
    cases: { db, readThrough, operatorChange, alerts: alertsOfCases, now: () => new Date() },
    events: {
      feed,
      sessions: identity.sessions,
      mode,
      isDatabaseAvailable: database.isAvailable,
      ...(engine.keepAliveMs ? { keepAliveMs: engine.keepAliveMs } : {}),
    },
    system: {
      mode,
      version: manifest.version,
      isDatabaseAvailable: database.isAvailable,
      machine: {
        deployment_mode: config.databaseUrl ? 'distributed' : 'standalone',
        hostname: hostname(),
        platform: `${process.platform}-${process.arch}`,
      },
      listSites: () =>
        readThrough(
          async () => [],
          ({ sites }) => sites,
        ),
    },
  })
  undo.defer(() => closeHttp(http, 1_000))

  const running = undo.move()
  return {
    http,
    makeFirstAdmin: (tell) =>
      database.onAvailable(async () => {
        const password = await createFirstAdmin(db, config.adminPassword)
        if (password) tell(password)
      }),
    stop: () => running.disposeAsync(),
  }
}
