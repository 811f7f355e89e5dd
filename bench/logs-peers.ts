import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '@manara/kit/logging'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/soc/src/adapters/embedded-postgres.ts'
import type { StoredLog } from '../apps/soc/src/ports/log-store.ts'
import { startClickhouse } from '../apps/soc/src/testing/clickhouse-servers.ts'
import { install, missing, TEST_PACKAGES } from '../scripts/debian-packages.ts'
import { createEvents } from './logs-events.ts'
import { createProgress } from './logs-progress.ts'
import { type LogQueries, measureQuestions } from './logs-questions.ts'

type Peer = LogQueries & {
  name: string
  insert(logs: StoredLog[]): Promise<void>
  /** What is worth doing once all is in. */
  finish(): Promise<void>
}

/** A trigram index of more would take hours to build. */
const MOST_IN_POSTGRES = Number(process.env.BENCH_POSTGRES_EVENTS ?? 5_000_000)
const BATCH = 10_000

/** Engines of others, one after the other, with the same events and questions. */
export async function measurePeers(count: number, days: number, print: (line: string) => void) {
  const measured = []
  for (const [open, most] of [
    [openClickhouse, count],
    [openPostgres, Math.min(count, MOST_IN_POSTGRES)],
  ] as const) {
    await using undo = new AsyncDisposableStack()
    const peer = await open(undo, print)
    if (!peer) continue
    const end = Date.now()
    const events = createEvents({ count: most, end, days, seed: 1 })
    const tell = createProgress(print, `${peer.name}: ${most.toLocaleString('en')} events`, most)
    for (let done = 0; done < most; done += BATCH) {
      await peer.insert(events.take(BATCH))
      tell(Math.min(most, done + BATCH))
    }
    print(`… ${peer.name}: indexes`)
    await peer.finish()
    const times = await measureQuestions(peer.name, peer, end)
    measured.push({ name: peer.name, events: most, times })
  }
  return measured
}

async function openPostgres(undo: AsyncDisposableStack): Promise<Peer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-logs-bench-'))
  undo.defer(() => rmSync(directory, { recursive: true, force: true }))
  const log = createLogger({ service: 'bench', level: 'error', pretty: false })
  const postgres = await startEmbeddedPostgres(path.join(directory, 'peer'), log)
  undo.defer(() => postgres.stop())
  return postgresPeer(postgres.owner)
}

/** Installed as for the tests; left out, with the reason, where that cannot be. */
async function openClickhouse(undo: AsyncDisposableStack, print: (line: string) => void) {
  const wanted = TEST_PACKAGES.filter(({ name }) => name === 'clickhouse-server')
  const why = missing(wanted).length > 0 ? install(wanted) : undefined
  if (why) {
    print(`ClickHouse is left out: ${why}`)
    return undefined
  }
  const { urls } = await startClickhouse({ after: (work) => undo.defer(work) }, 1)
  return clickhousePeer(urls[0] as string)
}

const COLUMNS = [
  'at',
  'id',
  'source',
  'host',
  'severity',
  'message',
  'user',
  'process',
  'event_code',
  'src_ip',
  'dst_ip',
  'fields',
] as const

const rowOf = (log: StoredLog) => ({ ...log, fields: JSON.stringify(log.fields) })

/** MergeTree by time, without a text index: Debian's version has none that helps here. */
async function clickhousePeer(url: string): Promise<Peer> {
  async function ask(query: string, body = '') {
    const reply = await fetch(`${url}/?${new URLSearchParams({ query })}`, { method: 'POST', body })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`ClickHouse: ${text}`)
    return text
  }
  const rows = async (query: string) =>
    (await ask(`${query} FORMAT JSONEachRow`)).split('\n').length - 1
  const matching = (text: string) =>
    `(positionCaseInsensitive(message, '${text}') > 0 OR positionCaseInsensitive(fields, '${text}') > 0 OR dst_ip = '${text}')`

  await ask(`CREATE TABLE logs (at Int64, id String,
    source String, host String, severity String, message String, user String, process String,
    event_code String, src_ip String, dst_ip String, fields String)
    ENGINE = MergeTree PARTITION BY tuple() ORDER BY at`)
  return {
    name: 'ClickHouse',
    async insert(logs) {
      const lines = logs.map((log) => {
        const row = rowOf(log)
        return JSON.stringify(Object.fromEntries(COLUMNS.map((name) => [name, row[name] ?? ''])))
      })
      await ask(`INSERT INTO logs (${COLUMNS.join(', ')}) FORMAT JSONEachRow`, lines.join('\n'))
    },
    finish: async () => {},
    lastFifty: (text, from) =>
      rows(
        `SELECT * FROM logs WHERE at >= ${from} AND ${matching(text)} ORDER BY at DESC LIMIT 50`,
      ),
    total: (text, from) =>
      rows(`SELECT count() FROM logs WHERE at >= ${from} AND ${matching(text)}`),
    everywhere: (text) =>
      rows(`SELECT * FROM logs WHERE ${matching(text)} ORDER BY at DESC LIMIT 50`),
    hourly: (from) =>
      rows(
        `SELECT intDiv(at, 3600000) AS hour, severity, count() FROM logs WHERE at >= ${from} GROUP BY hour, severity`,
      ),
    top: (column) =>
      rows(`SELECT ${column}, count() AS n FROM logs GROUP BY ${column} ORDER BY n DESC LIMIT 10`),
  }
}

/** A trigram index over the searched text and one over the time, made after the rows. */
async function postgresPeer(connection: pg.ClientConfig): Promise<Peer> {
  const client = new pg.Client(connection)
  // The server is stopped under it at the end.
  client.on('error', () => {})
  await client.connect()
  await client.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE TABLE peer_logs (at bigint, id text, source text, host text, severity text, message text,
      "user" text, process text, event_code text, src_ip text, dst_ip text, fields text,
      searched text GENERATED ALWAYS AS
        (lower(message || ' ' || fields || ' ' || coalesce(dst_ip, ''))) STORED)`)
  const rows = async (text: string, values: unknown[] = []) =>
    (await client.query(text, values)).rows.length
  return {
    name: 'PostgreSQL with pg_trgm',
    async insert(logs) {
      const columns = COLUMNS.map((name) => logs.map((log) => rowOf(log)[name]))
      await client.query(
        `INSERT INTO peer_logs (${COLUMNS.map((name) => `"${name}"`).join(', ')})
         SELECT * FROM unnest(${COLUMNS.map((name, at) => `$${at + 1}::${name === 'at' ? 'bigint' : 'text'}[]`).join(', ')})`,
        columns,
      )
    },
    async finish() {
      await client.query(`SET maintenance_work_mem = '512MB';
        CREATE INDEX ON peer_logs USING gin (searched gin_trgm_ops);
        CREATE INDEX ON peer_logs (at);
        ANALYZE peer_logs`)
    },
    lastFifty: (text, from) =>
      rows(
        'SELECT * FROM peer_logs WHERE at >= $2 AND searched LIKE $1 ORDER BY at DESC LIMIT 50',
        [`%${text.toLowerCase()}%`, from],
      ),
    total: (text, from) =>
      rows('SELECT count(*) FROM peer_logs WHERE at >= $2 AND searched LIKE $1', [
        `%${text.toLowerCase()}%`,
        from,
      ]),
    everywhere: (text) =>
      rows('SELECT * FROM peer_logs WHERE searched LIKE $1 ORDER BY at DESC LIMIT 50', [
        `%${text.toLowerCase()}%`,
      ]),
    hourly: (from) =>
      rows('SELECT at / 3600000, severity, count(*) FROM peer_logs WHERE at >= $1 GROUP BY 1, 2', [
        from,
      ]),
    top: (column) =>
      rows(`SELECT ${column}, count(*) FROM peer_logs GROUP BY 1 ORDER BY 2 DESC LIMIT 10`),
  }
}
