import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, type TestContext } from 'node:test'
import type { Role } from '@manara/soc-contract/permissions'
import { hash } from '@node-rs/argon2'
import pg, { type PoolConfig } from 'pg'
import { composeSoc, type Soc } from '../compose/soc.ts'
import { type Config, readConfig } from '../config.ts'
import { dropDatabase, filledDatabase, ownerOf, silentLog, testDatabase } from './test-postgres.ts'

export const ADMIN_PASSWORD = 'correct horse battery'

// Services on one database share it, and each test may start several.
const KEY_FILE = path.join(mkdtempSync(path.join(tmpdir(), 'soc-test-key-')), 'service.key')
after(() => rmSync(path.dirname(KEY_FILE), { recursive: true, force: true }))

/** A hash says what it costs to check: this one next to nothing, for tests sign in a thousand times. */
const cheapHash = (password: string) => hash(password, { memoryCost: 8, timeCost: 1 })

let withAdmin: Promise<string> | undefined
function databaseWithAdmin() {
  withAdmin ??= filledDatabase(async ({ kysely }) => {
    const password_hash = await cheapHash(ADMIN_PASSWORD)
    const admin = { username: 'admin', password_hash, role: 'admin' as const }
    await kysely.insertInto('users').values(admin).execute()
  })
  return withAdmin.then(testDatabase)
}

type Options = Partial<Omit<Config, 'rates' | 'ingest'>> & {
  ingest?: Partial<Config['ingest']>
  rates?: Partial<Config['rates']>
  connection?: PoolConfig
  /** Hears the generated password of the first admin. */
  tell?: (password: string) => void
  keepAliveMs?: number
  patienceMs?: number
  leaseMs?: number
}

type Call = {
  as?: string | undefined
  headers?: Record<string, string>
  body?: unknown
}

export type TestSoc = Awaited<ReturnType<typeof startTestSoc>>

/** A whole service on a database of its own (or on `connection`), ended with the test. */
export async function startTestSoc(t: Pick<TestContext, 'after'>, options: Options = {}) {
  const {
    connection = await ('adminPassword' in options ? testDatabase() : databaseWithAdmin()),
    tell = () => {},
    keepAliveMs,
    // A database may stand still with its machine; whoever tests that it is away says how long it may.
    patienceMs = 120_000,
    leaseMs,
    rates,
    ingest,
    ...settings
  } = options
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'soc-test-'))
  const defaults = readConfig({ SOC_ADMIN_PASSWORD: ADMIN_PASSWORD })
  const config: Config = {
    ...defaults,
    ingest: { ...defaults.ingest, ...ingest },
    // Tests call more often in a minute than an analyst.
    rates: {
      general: 1_000_000,
      investigate: 1_000_000,
      execute: 1_000_000,
      mcp: 1_000_000,
      chat: 1_000_000,
      enrol: 1_000_000,
      ...rates,
    },
    // They would change records that a test is about; tests of agents switch them on.
    hasAgents: false,
    dataDir,
    keyFile: KEY_FILE,
    databaseUrl: 'postgres://test',
    ...settings,
  }
  let soc: Soc = await composeSoc(config, {
    connection,
    owner: ownerOf(connection),
    log: silentLog,
    probeMs: 200,
    ...(keepAliveMs ? { keepAliveMs } : {}),
    patienceMs,
    ...(leaseMs ? { leaseMs } : {}),
  })
  await soc.start()
  await soc.makeFirstAdmin(tell)
  // To connect is more work than most questions.
  const straight = new pg.Pool(ownerOf(connection)).on('error', () => {})
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= soc.stop()
    return stopping
  }
  t.after(async () => {
    await stop()
    await straight.end()
    if (!options.connection) await dropDatabase(connection)
    rmSync(dataDir, { recursive: true, force: true })
    // The runner keeps each test and what it called after it: five megabytes for each service.
    soc = undefined as unknown as Soc
  })

  async function call(method: string, path: string, { as, headers = {}, body }: Call = {}) {
    const reply = await soc.http.inject({
      method: method as 'GET',
      url: path.startsWith('/health') ? path : `/api/v1${path}`,
      headers: { ...(as ? { authorization: `Bearer ${as}` } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: isJson ? reply.json() : reply.body,
    }
  }

  async function signIn(username = 'admin', password = ADMIN_PASSWORD): Promise<string> {
    const { body } = await call('POST', '/auth/token', { body: { username, password } })
    return body.access_token
  }

  /** A user of that role who is signed in; `username` is the role unless given. */
  async function signInAs(role: Role, username: string = role): Promise<string> {
    const password = `${username} password`
    await query(
      `INSERT INTO users (username, password_hash, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [username, await cheapHash(password), role],
    )
    return signIn(username, password)
  }

  /** Straight to the database, past the service, with the rights of its owner. */
  async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    // What is set for a session is not for the next one who asks.
    if (text.startsWith('SET ')) return apart(async (client) => (await client.query(text)).rows)
    return (await straight.query<Row>(text, values)).rows
  }

  async function apart<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(ownerOf(connection))
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** A user with the password of the admin. */
  async function addUser(username: string, role: Role = 'viewer') {
    const [row] = await query<{ id: string }>(
      `INSERT INTO users (username, password_hash, role)
       SELECT $1, password_hash, $2 FROM users WHERE username = 'admin' RETURNING id`,
      [username, role],
    )
    return { id: row?.id ?? '', username, password: ADMIN_PASSWORD }
  }

  /** Runs `work` while a transaction that began with `statement` stays open, then commits it. */
  const holding = (statement: string, work: () => Promise<void>): Promise<void> =>
    apart(async (client) => {
      await client.query(`BEGIN; ${statement}`)
      await work()
      await client.query('COMMIT')
    })

  return {
    get http() {
      return soc.http
    },
    get listenSyslog() {
      return soc.listenSyslog
    },
    get listenDevices() {
      return soc.listenDevices
    },
    get tools() {
      return soc.tools
    },
    call,
    signIn,
    signInAs,
    addUser,
    query,
    holding,
    stop,
    connection,
    dataDir,
  }
}
