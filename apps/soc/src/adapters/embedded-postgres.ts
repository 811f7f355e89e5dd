import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import pg from 'pg'
import {
  initialiseCluster,
  type PostgresPrograms,
  postgresPrograms,
  SHARED_MEMORY,
} from './postgres-programs.ts'

type Connection = { host: string; user: string; database: string }

const [OWNER, SERVICE] = ['soc', 'soc_service']
const PATIENCE_MS = 20_000

export type EmbeddedPostgres = {
  /** For the `pg` client: a Unix socket that only this service can reach. */
  connection: Connection
  /** The same as the owner of the schema, which only migrations need. */
  owner: Connection
  stop(): Promise<void>
}

/** One service takes half of them. */
const CONNECTIONS = 60

/**
 * PostgreSQL from the npm package as a child process: made on first start, restarted when it dies,
 * gone when the service goes, even by kill -9 (the kernel then sends it SIGINT, a fast shutdown).
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Logger,
  connections = CONNECTIONS,
): Promise<EmbeddedPostgres> {
  const postgres = postgresPrograms(dataDir)
  const cluster = path.join(dataDir, 'postgres')
  await initialiseCluster(postgres, cluster)

  const socketDir = makeSocketDir()
  postgres.own(socketDir)
  let stopping = false
  let server = await launchAfterOthers()

  /** A statement that runs on after its server was killed still has the memory of both. */
  async function launchAfterOthers(): Promise<ChildProcess> {
    const patience = Date.now() + PATIENCE_MS
    for (;;) {
      try {
        return await launch()
      } catch (error) {
        if (!String(error).includes('still in use') || Date.now() > patience) throw error
        await wait(100)
      }
    }
  }

  async function launch(): Promise<ChildProcess> {
    await previousServerGone(cluster)
    const child = startServer(postgres, cluster, { socketDir, connections })
    await ready(child, log)
    child.once('exit', (code, signal) => {
      if (stopping) return
      log.error({ code, signal }, 'the embedded PostgreSQL ended by itself: starting it again')
      void relaunch()
    })
    return child
  }

  async function relaunch() {
    while (!stopping) {
      try {
        server = await launch()
        return
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL did not start: trying again')
        await wait(1_000)
      }
    }
  }

  const owner = { host: socketDir, user: OWNER, database: 'postgres' }
  await makeServiceRole(owner)
  return {
    connection: { ...owner, user: SERVICE },
    owner,
    async stop() {
      stopping = true
      await stopServer(server)
      rmSync(socketDir, { recursive: true, force: true })
    },
  }
}

// The longest that Linux takes, less what PostgreSQL adds: `/.s.PGSQL.5432`.
const SOCKET_DIR_BYTES = 107 - 14

/** Not below the data directory, which may be deep, as TMPDIR may be. */
function makeSocketDir(): string {
  const problems: string[] = []
  for (const place of new Set([tmpdir(), '/tmp', '/dev/shm'])) {
    try {
      const folder = mkdtempSync(path.join(place, 'manara-pg-'))
      // PostgreSQL takes a comma for the end of a folder.
      if (Buffer.byteLength(folder) <= SOCKET_DIR_BYTES && !folder.includes(',')) return folder
      rmSync(folder, { recursive: true })
      problems.push(`${place} has too long a name, or a comma in it`)
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  throw new StartError(
    `no folder for the socket of PostgreSQL: ${problems.join('; ')}: set TMPDIR to a short path that can be written`,
  )
}

/** The service works as a role that owns nothing: it cannot switch off what keeps the audit log. */
async function makeServiceRole(owner: Connection) {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE])
    if (rowCount === 0) await client.query(`CREATE ROLE ${SERVICE} LOGIN`)
  } finally {
    await client.end()
  }
}

type ServerOptions = { socketDir: string; connections: number }

function startServer(
  postgres: PostgresPrograms,
  cluster: string,
  { socketDir, connections }: ServerOptions,
) {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    max_connections: `${connections}`,
    timezone: 'UTC',
    log_checkpoints: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Clusters made before are set up otherwise.
  flags.push('-c', SHARED_MEMORY)
  const { file, args, env } = postgres.command('postgres', ['-D', cluster, ...flags])
  // In its own process group: Ctrl-C in a terminal is for the service, which stops it in order.
  return spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
}

async function ready(child: ChildProcess, log: Logger): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log.debug({ postgres: text.trimEnd() }, 'postgres')
      if (output === 'ready') return
      output += text
      if (output.includes('ready to accept connections')) {
        output = 'ready'
        resolve()
      }
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the embedded PostgreSQL did not start: ${output}`)))
  })
}

/** SIGINT is a fast shutdown; one that takes too long is cut, and the log replays at the next start. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGINT')
  const timer = setTimeout(() => server.kill('SIGQUIT'), 1_800)
  await gone
  clearTimeout(timer)
}

/** After a kill -9 of the service its old server is still shutting down: starting beside it would fail. */
async function previousServerGone(cluster: string): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid')
  const patience = Date.now() + PATIENCE_MS
  while (existsSync(pidFile) && isServerOf(cluster, pidOf(pidFile))) {
    if (Date.now() > patience) {
      throw new Error(`an older PostgreSQL (pid ${pidOf(pidFile)}) still uses ${cluster}: stop it`)
    }
    await wait(50)
  }
  if (existsSync(pidFile)) passOver(pidFile)
}

/**
 * The server is gone and its number may be another process's by now, or of a dead one that nobody
 * took note of: PostgreSQL would give way to both. It passes over its parent's, and goes on to look
 * whether anybody still has the memory that the file names.
 */
function passOver(pidFile: string) {
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
  writeFileSync(pidFile, [process.pid, ...rest].join('\n'))
}

function pidOf(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').split('\n')[0] ?? ''
  } catch {
    return ''
  }
}

function isServerOf(cluster: string, pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return false
  }
}
