import { readdirSync, statSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { parseQuery } from '@manara/log-query/parse'
import { openDuckdbLogs } from '../apps/soc/src/adapters/duckdb-logs.ts'
import { buildStore } from './logs-build.ts'
import { measureIngest } from './logs-ingest.ts'
import { IN_PROCESS, type Measured, SERVICE } from './logs-limits.ts'
import { measurePeers } from './logs-peers.ts'
import { measurePeople } from './logs-people.ts'
import { HOUR_MS, type LogQueries, measureQuestions } from './logs-questions.ts'
import { openRaw } from './logs-raw.ts'
import { createApi, startAndSearch } from './logs-service.ts'
import { stopSoc } from './soc-service.ts'

const DAYS = 30
const MOST_OF_A_DAY = 10_000_000

/** All questions at one size. Stores are built first, each engine is asked alone. */
export async function measureSize(
  events: number,
  base: string,
  print: (line: string) => void,
): Promise<Measured> {
  const month = await buildStore(base, events, DAYS, print)
  const day = await buildStore(base, Math.min(events, MOST_OF_A_DAY), 1, print)

  const first = await startAndSearch(day.directory, day.end)
  const start = { events: day.events, seconds: first.seconds, megabytes: first.megabytes }
  const sent = Number(process.env.BENCH_INGEST ?? 600_000)
  const ingest = await measureIngest(first.soc, sent, print)
  await stopSoc(first.soc)

  const { soc } = await startAndSearch(month.directory, month.end)
  const api = createApi(soc)
  const before = process.cpuUsage()
  const overHttp = await measureQuestions(SERVICE, api, month.end)
  const { user, system } = process.cpuUsage(before)
  // Nine turns of each and one before them.
  const clientMs = (user + system) / 1_000 / (10 * Object.keys(overHttp).length)
  api.close()
  const people = await measurePeople(soc, month.end, print)
  await stopSoc(soc)

  const logs = path.join(month.directory, 'logs')
  const inside = openInside(logs)
  const inProcess = await measureQuestions(IN_PROCESS, inside, month.end)
  await inside.close()
  const raw = await openRaw(logs)
  const alone = await measureQuestions('raw DuckDB', raw, month.end)
  raw.close()
  return {
    events,
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'} (${process.arch}), Node ${process.versions.node}`,
    engines: [
      { name: SERVICE, events, times: overHttp },
      { name: IN_PROCESS, events, times: inProcess },
      { name: 'raw DuckDB', events, times: alone },
      ...(await measurePeers(events, DAYS, print)),
    ],
    clientMs,
    start,
    ingest: { ...ingest, events: sent },
    people,
    bytesPerEvent: sizeOf(logs) / events,
  }
}

/** Through the port of the store, as the service asks it. */
function openInside(directory: string): LogQueries & { close(): Promise<void> } {
  const store = openDuckdbLogs({ directory, log: console })
  const query = (q: string) => {
    const parsed = parseQuery(q, 0)
    if (!parsed.ok) throw new Error(parsed.error.message)
    return parsed.query
  }
  const page = { skip: 0, limit: 51, order: 'desc', countUpTo: 10_000 } as const
  const glance = { ...page, countEvents: 20_000 }
  const limits = { timeLimitMs: 600_000 }
  const everything = { query: query('*'), time: {} }
  return {
    close: () => store.close(),
    lastFifty: async (text, from) =>
      (await store.search({ query: query(`"${text}"`), time: { from }, ...glance }, limits)).logs
        .length,
    total: async (text, from) => {
      const count = { ...page, limit: 0, countUpTo: Number.MAX_SAFE_INTEGER }
      const found = await store.search({ query: query(`"${text}"`), time: { from }, ...count })
      return found.total ?? 0
    },
    everywhere: async (text) =>
      (await store.search({ query: query(`"${text}"`), time: {}, ...glance }, limits)).logs.length,
    hourly: async (from) => {
      const asked = { ...everything, time: { from }, bucketMs: HOUR_MS, by: 'severity' } as const
      return (await store.histogram(asked, limits)).buckets.length
    },
    top: async (field) =>
      (await store.topValues({ ...everything, field, limit: 10 }, limits)).values.length,
  }
}

const sizeOf = (directory: string) =>
  readdirSync(directory)
    .filter((file) => file.includes('.duckdb'))
    .reduce((sum, file) => sum + statSync(path.join(directory, file)).size, 0)
