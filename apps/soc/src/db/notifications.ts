import { randomUUID } from 'node:crypto'
import { createQueue } from '@manara/kit/queue'
import pg from 'pg'
import { createEchoes } from './echoes.ts'

const CHANNELS = [
  'soc_identity',
  'soc_written',
  'soc_numbered',
  'soc_executions',
  'soc_rules',
  'soc_iocs',
  'soc_agents',
  'soc_cps',
  'soc_parsers',
  'soc_reparses',
] as const
type Channel = (typeof CHANNELS)[number]

export type Notifications = {
  /** Resolves after the first attempt to connect. */
  start(): Promise<void>
  on(channel: Channel, listener: (payload: string) => void): void
  /** After a time without ears, and at the first connection: whatever was told then is lost. */
  onGap(listener: () => void): void
  isListening(): boolean
  /** Tells every process, this one too; calls that come close together become one. */
  tell(channel: Channel): void
  /** Resolves when every process has heard all that was told before, or knows that it hears nothing. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

const RETRY_MS = 500
const HEARTBEAT_MS = 2_000
const ANSWER_MS = 3_000
// Who has said nothing for so long has noticed by its heartbeat, and asks the database by itself.
const PATIENCE_MS = HEARTBEAT_MS + ANSWER_MS
// So that a machine that lost its power is not waited for.
const NOTICE_THE_DEAD = ['idle = 5', 'interval = 5', 'count = 2']
// A NOTIFY takes a lock that all others of the server wait for: bursts are told once.
const TELL_GAP_MS = 15

const ECHO = `SELECT pg_notify('soc_echo', $1)`
const LISTENERS = `(SELECT count(*)::integer FROM pg_stat_activity
  WHERE application_name = 'soc listener' AND datname = current_database()) AS listeners`

/** One connection that listens. The probe of the database says when it is worth connecting. */
export function createNotifications(options: {
  connection: pg.PoolConfig
  isAvailable(): boolean
  /** How long a server may take to let us in, and to answer. */
  answerMs?: number
}): Notifications {
  const { answerMs = ANSWER_MS } = options
  const listeners = new Map<string, Set<(payload: string) => void>>()
  const gapListeners = new Set<() => void>()
  const echoes = createEchoes({ patienceMs: PATIENCE_MS })
  const told = new Map<Channel, { again: boolean }>()
  let client: pg.Client | undefined
  const asked = createQueue()
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const Client = (options.connection.Client ?? pg.Client) as typeof pg.Client
    const fresh = new Client({
      connectionTimeoutMillis: answerMs,
      ...options.connection,
      application_name: 'soc listener',
      keepAlive: true,
      query_timeout: answerMs,
    })
    fresh.on('notification', ({ channel, payload = '' }) => hear(channel, payload))
    fresh.on('error', () => lose(fresh))
    fresh.on('end', () => lose(fresh))
    try {
      await fresh.connect()
      // Nothing durable is written here, so no commit needs to wait for the disk.
      const listen = [...CHANNELS, 'soc_echo'].map((channel) => `LISTEN ${channel}`)
      const keepAlive = NOTICE_THE_DEAD.map((setting) => `SET tcp_keepalives_${setting}`)
      const settings = ['SET synchronous_commit = off', ...keepAlive]
      await fresh.query([...settings, ...listen].join('; '))
      if (closed) return await fresh.end()
      client = fresh
      for (const listener of [...gapListeners]) listener()
    } catch {
      await fresh.end().catch(() => {})
    }
  }

  function lose(lost: pg.Client) {
    if (client !== lost) return
    client = undefined
    void lost.end().catch(() => {})
  }

  /** One statement after the other: the client takes no second one while the first is under way. */
  function ask(current: pg.Client, text: string, values: string[] = []) {
    return asked.run(() => current.query<{ listeners?: number }>(text, values))
  }

  function hear(channel: string, payload: string) {
    if (channel === 'soc_echo') return hearEcho(payload)
    for (const listener of listeners.get(channel) ?? []) listener(payload)
  }

  /** A word of another process is answered: it waits for all who hear. */
  function hearEcho(payload: string) {
    if (echoes.hear(payload) || !client) return
    void ask(client, ECHO, [`${payload} ${randomUUID()}`]).catch(() => {})
  }

  async function keepListening() {
    if (client) await beat(client)
    else if (options.isAvailable()) await connect()
    if (!closed) timer = setTimeout(() => void keepListening(), client ? HEARTBEAT_MS : RETRY_MS)
  }

  /** A connection may be dead without a word: then what we remember cannot be trusted. */
  async function beat(current: pg.Client) {
    await ask(current, 'SELECT 1').catch(() => lose(current))
  }

  function tell(channel: Channel) {
    const pending = told.get(channel)
    if (pending) {
      pending.again = true
      return
    }
    told.set(channel, { again: false })
    if (client) void ask(client, `SELECT pg_notify($1, '')`, [channel]).catch(() => {})
    setTimeout(() => {
      const again = told.get(channel)?.again
      told.delete(channel)
      if (again && !closed) tell(channel)
    }, TELL_GAP_MS).unref()
  }

  async function caughtUp() {
    if (!client) return
    const current = client
    await echoes.heardByAll(async (word) => {
      const { rows } = await ask(current, `${ECHO}, ${LISTENERS}`, [word])
      return rows[0]?.listeners ?? 1
    })
  }

  return {
    start: keepListening,
    on(channel, listener) {
      const known = listeners.get(channel) ?? new Set()
      listeners.set(channel, known.add(listener))
    },
    onGap: (listener) => void gapListeners.add(listener),
    isListening: () => client !== undefined,
    tell,
    caughtUp,
    async close() {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
