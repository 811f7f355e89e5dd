import { collectWhenIdle } from '@manara/kit/collect-when-idle'
import { claimDataDir } from '@manara/kit/data-dir'
import { createLogger } from '@manara/kit/logging'
import type { Running } from '@manara/kit/service'
import { startEmbeddedPostgres } from './adapters/embedded-postgres.ts'
import { openLogs } from './compose/logs.ts'
import type { Config } from './config.ts'
import { connectionOf } from './db/connect-in-turn.ts'
import { readConninfo } from './db/conninfo.ts'

/** After the start, whose first questions need the processor more. */
const WARM_UP_MS = 3_000

/** The service with its engine and its port: starts in order, and stops in the opposite order. */
export async function startSoc(config: Config): Promise<Running> {
  const log = createLogger({ service: 'soc', level: config.logLevel, pretty: config.prettyLog })
  for (const warning of config.warnings) log.warn(warning)
  await using undo = new AsyncDisposableStack()

  const claim = claimDataDir(config.dataDir, 'SOC_DATA')
  undo.defer(() => claim.release())

  // Both engines open what they have on the other core while the rest of the program is read.
  const logs = openLogs(config, log)
  // To close it twice is nothing.
  undo.defer(() => logs.close())
  const reading = import('./compose/soc.ts')
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir, log)
  if (embedded) undo.defer(() => embedded.stop())
  const { composeSoc } = await reading

  const soc = await composeSoc(config, {
    ...{ log, logs },
    connection:
      embedded?.connection ?? connectionOf(readConninfo(config.databaseUrl ?? ''), 'DATABASE_URL'),
    owner: embedded?.owner ?? ownerOf(config),
  })
  undo.defer(() => soc.stop())
  await soc.start()
  const syslog = await soc.listenSyslog()
  const devices = await soc.listenDevices()
  const address = await soc.http.listen({ host: config.host, port: config.port })

  const banner = [
    `soc       ${address}`,
    `          mode ${config.mode}, data in ${config.dataDir}`,
    `          database: ${embedded ? 'embedded PostgreSQL' : 'DATABASE_URL'}`,
    `          logs: ${whereLogsAre(config)}`,
    `          devices: ${devices}`,
    ...Object.entries(syslog).flatMap(([kind, at]) =>
      at ? [`          syslog: ${kind} ${at.host}:${at.port}`] : [],
    ),
  ]
  // After the ports are ours: a password made for a start that fails would be lost.
  let say = (line: string) => void banner.push(line)
  await soc.makeFirstAdmin((password) => say(`admin password: ${password}`))
  if (config.hasStarterRules) soc.installStarterRules()
  say = (line) => void process.stdout.write(`${line}\n`)

  if (config.warmsUp) {
    const warming = setTimeout(() => void soc.warmUp(), WARM_UP_MS).unref()
    undo.defer(() => clearTimeout(warming))
  }
  const collecting = collectWhenIdle()
  undo.defer(collecting.stop)
  const running = undo.move()
  return { banner, stop: () => running.disposeAsync() }
}

const ownerOf = ({ databaseOwnerUrl }: Config) =>
  databaseOwnerUrl ? connectionOf(readConninfo(databaseOwnerUrl), 'DATABASE_OWNER_URL') : undefined

function whereLogsAre({ clickhouse, databaseUrl }: Config): string {
  if (clickhouse.urls.length > 0) return 'CLICKHOUSE_URL'
  // Others on the same database neither see these logs nor run rules over them.
  return databaseUrl ? 'embedded DuckDB, of this process alone' : 'embedded DuckDB'
}
