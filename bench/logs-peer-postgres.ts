import { createLogger } from '@manara/kit/logging'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/soc/src/adapters/embedded-postgres.ts'
import { COLUMNS, type Peer, type PeerEngine, rowOf } from './logs-peer.ts'

export const POSTGRES: PeerEngine = {
  name: 'PostgreSQL with pg_trgm',
  // A trigram index of more would take hours to build.
  most: Number(process.env.BENCH_POSTGRES_EVENTS ?? 5_000_000),
  whyNot: () => undefined,
  async open(directory, undo) {
    const log = createLogger({ service: 'bench', level: 'error', pretty: false })
    const postgres = await startEmbeddedPostgres(directory, log)
    undo.defer(() => postgres.stop())
    const client = new pg.Client(postgres.owner)
    await client.connect()
    undo.defer(() => client.end())
    return peerOf(client)
  },
}

/** A trigram index over the searched text and one over the time, made after the rows. */
function peerOf(client: pg.Client): Peer {
  const rows = async (text: string, values: unknown[] = []) =>
    (await client.query(text, values)).rows.length
  return {
    async createTable() {
      await client.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE TABLE peer_logs (at bigint, id text, source text, host text, severity text,
          message text, "user" text, process text, event_code text, src_ip text, dst_ip text,
          fields text, searched text GENERATED ALWAYS AS
            (lower(message || ' ' || fields || ' ' || coalesce(dst_ip, ''))) STORED)`)
    },
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
      // What is on disk needs no recovery at the next start.
      await client.query('CHECKPOINT')
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
