import { readdirSync, statSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { parseQuery } from '@manara/log-query/parse'
import { openDuckdbLogs } from '../apps/soc/src/adapters/duckdb-logs.ts'
import { type Built, buildStore, type Print } from './logs-build.ts'
import type { Day } from './logs-day.ts'
import { IN_PROCESS, type Measured, million, RAW, SERVICE } from './logs-limits.ts'
import { type BuiltPeer, buildPeers, measurePeers } from './logs-peers.ts'
import { measurePeople } from './logs-people.ts'
import { HOUR_MS, type LogQueries, measureQuestions } from './logs-questions.ts'
import { openRaw } from './logs-raw.ts'
import { createApi, restOf, startAndSearch } from './logs-service.ts'
import { createPace } from './pace.ts'
import { stopSoc } from './soc-service.ts'

const DAYS = 30

/** The stores of one size. */
export type Stores = { month: Built; peers: BuiltPeer[] }

export async function buildStores(base: string, events: number, print: Print): Promise<Stores> {
  const month = await buildStore(base, events, DAYS, print)
  return { month, peers: await buildPeers(base, events, DAYS, print) }
}

/** All questions at one size; each engine is asked alone. */
export async function measureSize(
  { month, peers }: Stores,
  day: Day,
  print: Print,
): Promise<Measured> {
  const { events, end, directory } = month
  print(`${million(events)} events: … asking ${SERVICE}`)
  const { soc } = await startAndSearch(directory, end)
  await restOf(soc)
  const api = createApi(soc)
  const pace = createPace()
  pace.look()
  const before = process.cpuUsage()
  const overHttp = await measureQuestions(SERVICE, api, end)
  const { user, system } = process.cpuUsage(before)
  // Nine turns of each and one before them.
  const clientMs = (user + system) / 1_000 / (10 * Object.keys(overHttp).length)
  api.close()
  pace.look()
  const people = await measurePeople(soc, end, print)
  await stopSoc(soc)
  pace.look()

  const logs = path.join(directory, 'logs')
  print(`… asking ${IN_PROCESS}`)
  const inside = openInside(logs)
  const inProcess = await measureQuestions(IN_PROCESS, inside, end)
  await inside.close()
  pace.look()
  print(`… asking ${RAW}`)
  const raw = await openRaw(logs)
  const alone = await measureQuestions(RAW, raw, end)
  raw.close()
  const others = await measurePeers(peers, print)
  pace.look()
  return {
    events,
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'} (${process.arch}), Node ${process.versions.node}`,
    engines: [
      { name: SERVICE, events, times: overHttp },
      { name: IN_PROCESS, events, times: inProcess },
      { name: RAW, events, times: alone },
      ...others,
    ],
    clientMs,
    ...day,
    people,
    pace: pace.found(),
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
