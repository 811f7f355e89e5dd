import { startClickhouse } from '../apps/soc/src/testing/clickhouse-servers.ts'
import { install, missing, TEST_PACKAGES } from '../scripts/debian-packages.ts'
import { COLUMNS, type Peer, type PeerEngine, rowOf } from './logs-peer.ts'

/** Installed as for the tests. */
export const CLICKHOUSE: PeerEngine = {
  name: 'ClickHouse',
  most: Number(process.env.BENCH_CLICKHOUSE_EVENTS ?? Number.POSITIVE_INFINITY),
  whyNot() {
    const wanted = TEST_PACKAGES.filter(({ name }) => name === 'clickhouse-server')
    return missing(wanted).length > 0 ? install(wanted) : undefined
  },
  async open(directory, undo) {
    const { urls } = await startClickhouse({ after: (work) => undo.defer(work) }, 1, directory)
    return peerAt(urls[0] as string)
  },
}

/** MergeTree by time, without a text index: Debian's version has none that helps here. */
function peerAt(url: string): Peer {
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

  return {
    async createTable() {
      await ask(`CREATE TABLE logs (at Int64, id String,
        source String, host String, severity String, message String, user String, process String,
        event_code String, src_ip String, dst_ip String, fields String)
        ENGINE = MergeTree PARTITION BY tuple() ORDER BY at`)
    },
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
