import pg from 'pg'
import type { StoredLog } from '../apps/soc/src/ports/log-store.ts'

/** What every engine is asked; a text is looked for in the message and the values of all fields. */
export type LogQueries = {
  lastFifty(text: string, from: number): Promise<number>
  everywhere(text: string): Promise<number>
  hourly(from: number): Promise<number>
  bySourceAndSeverity(): Promise<number>
}

export type Peer = LogQueries & {
  name: string
  insert(logs: StoredLog[]): Promise<void>
  /** What is worth doing once all is in. */
  finish(): Promise<void>
  bytes(): Promise<number>
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
export async function clickhousePeer(url: string): Promise<Peer> {
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
    everywhere: (text) =>
      rows(`SELECT * FROM logs WHERE ${matching(text)} ORDER BY at DESC LIMIT 50`),
    hourly: (from) =>
      rows(
        `SELECT intDiv(at, 3600000) AS hour, severity, count() FROM logs WHERE at >= ${from} GROUP BY hour, severity`,
      ),
    bySourceAndSeverity: () =>
      rows('SELECT source, severity, count() FROM logs GROUP BY source, severity'),
    bytes: async () =>
      Number(
        await ask(`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'logs'`),
      ),
  }
}

/** A trigram index over the searched text and one over the time, made after the rows. */
export async function postgresPeer(connection: pg.ClientConfig): Promise<Peer> {
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
    everywhere: (text) =>
      rows('SELECT * FROM peer_logs WHERE searched LIKE $1 ORDER BY at DESC LIMIT 50', [
        `%${text.toLowerCase()}%`,
      ]),
    hourly: (from) =>
      rows('SELECT at / 3600000, severity, count(*) FROM peer_logs WHERE at >= $1 GROUP BY 1, 2', [
        from,
      ]),
    bySourceAndSeverity: () =>
      rows('SELECT source, severity, count(*) FROM peer_logs GROUP BY 1, 2'),
    async bytes() {
      const { rows: sizes } = await client.query(
        `SELECT pg_total_relation_size('peer_logs') AS bytes`,
      )
      return Number(sizes[0].bytes)
    },
  }
}
