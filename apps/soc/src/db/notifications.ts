import { randomUUID } from 'node:crypto'
import { createQueue } from '@manara/kit/queue'
import pg from 'pg'

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
  /** Resolves when all that was told before has been heard here, at the latest after `patienceMs`. */
  caughtUp(patienceMs?: number): Promise<void>
  close(): Promise<void>
}

const RETRY_MS = 500
const HEARTBEAT_MS = 2_000
// A NOTIFY takes a lock that all others of the server wait for: bursts are told once.
const TELL_GAP_MS = 15

/** One connection that listens. The probe of the database says when it is worth connecting. */
export function createNotifications(options: {
  connection: pg.PoolConfig
  isAvailable(): boolean
}): Notifications {
  const listeners = new Map<string, Set<(payload: string) => void>>()
  const gapListeners = new Set<() => void>()
  const echoes = new Map<string, () => void>()
  const told = new Map<Channel, { again: boolean }>()
  let client: pg.Client | undefined
  const asked = createQueue()
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const Client = (options.connection.Client ?? pg.Client) as typeof pg.Client
    const fresh = new Client({
      ...options.connection,
      application_name: 'soc listener',
      keepAlive: true,
      query_timeout: 3_000,
    })
    fresh.on('notification', ({ channel, payload = '' }) => hear(channel, payload))
    fresh.on('error', () => lose(fresh))
    fresh.on('end', () => lose(fresh))
    try {
      await fresh.connect()
      // Nothing durable is written here, so no commit needs to wait for the disk.
      const listen = [...CHANNELS, 'soc_echo'].map((channel) => `LISTEN ${channel}`)
      await fresh.query(['SET synchronous_commit = off', ...listen].join('; '))
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
  function ask(current: pg.Client, text: string, values: string[] = []): Promise<unknown> {
    return asked.run(() => current.query(text, values))
  }

  function hear(channel: string, payload: string) {
    if (channel === 'soc_echo') return echoes.get(payload)?.()
    for (const listener of listeners.get(channel) ?? []) listener(payload)
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

  async function caughtUp(patienceMs = 500) {
    if (!client) return
    const word = randomUUID()
    const heard = Promise.withResolvers<void>()
    const patience = setTimeout(heard.resolve, patienceMs)
    echoes.set(word, heard.resolve)
    await ask(client, `SELECT pg_notify('soc_echo', $1)`, [word]).catch(() => heard.resolve())
    await heard.promise
    clearTimeout(patience)
    echoes.delete(word)
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
