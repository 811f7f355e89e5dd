import { openDatabase } from '../apps/soc/src/adapters/duckdb-logs/database.ts'
import { bound } from '../apps/soc/src/adapters/duckdb-logs/readers.ts'
import type { LogQueries } from './logs-questions.ts'

/** The same files, asked by DuckDB alone: one statement over everything, without our filters. */
export async function openRaw(directory: string): Promise<LogQueries & { close(): void }> {
  const database = await openDatabase({ directory, threads: 2, memoryMb: 1024 })
  const partitions = await Promise.all(database.names().map((name) => database.attach(name)))
  const connection = await database.connect()
  const logs = `(${partitions.map(({ alias }) => `SELECT * FROM ${alias}.logs`).join(' UNION ALL ')})`
  const rows = async (sql: string, values: (string | number)[] = []) =>
    (await connection.runAndReadAll(sql, ...bound(values))).currentRowCount
  const matching = '(contains(lower(message), $1) OR contains(lower(vals), $1))'
  return {
    lastFifty: (text, from) =>
      rows(`SELECT * FROM ${logs} WHERE at_ms >= $2 AND ${matching} ORDER BY at_ms DESC LIMIT 50`, [
        text.toLowerCase(),
        from,
      ]),
    total: (text, from) =>
      rows(`SELECT count(*) FROM ${logs} WHERE at_ms >= $2 AND ${matching}`, [
        text.toLowerCase(),
        from,
      ]),
    everywhere: (text) =>
      rows(`SELECT * FROM ${logs} WHERE ${matching} ORDER BY at_ms DESC LIMIT 50`, [
        text.toLowerCase(),
      ]),
    hourly: (from) =>
      rows(
        `SELECT at_ms // 3600000, severity, count(*) FROM ${logs} WHERE at_ms >= $1 GROUP BY ALL`,
        [from],
      ),
    top: (column) =>
      rows(`SELECT ${column}, count(*) FROM ${logs} GROUP BY ALL ORDER BY 2 DESC LIMIT 10`),
    close() {
      connection.closeSync()
      database.close()
    },
  }
}
