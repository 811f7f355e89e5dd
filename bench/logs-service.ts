import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createCaller, type Target } from './load.ts'
import { HOUR_MS, type LogQueries, TERM } from './logs-questions.ts'
import { type SocService, startSoc } from './soc-service.ts'

/** The questions as a client asks them. */
export function createApi(target: Target): LogQueries & { close(): void } {
  const { send, close } = createCaller(target)
  const get = async (place: string, query: Record<string, string>) => {
    const { text } = await send({ method: 'GET', path: `${place}?${new URLSearchParams(query)}` })
    return JSON.parse(text)
  }
  const since = (from: number) => ({ from: new Date(from).toISOString() })
  return {
    close,
    lastFifty: async (text, from) =>
      (await get('/siem/logs', { q: `"${text}"`, ...since(from) })).items.length,
    total: async (text, from) =>
      (await get('/siem/count', { q: `"${text}"`, ...since(from) })).total,
    everywhere: async (text) => (await get('/siem/logs', { q: `"${text}"` })).items.length,
    hourly: async (from) =>
      (await get('/siem/histogram', { ...since(from), bucket_s: '3600', by: 'severity' })).buckets
        .length,
    top: async (column) => (await get(`/siem/fields/${column}/values`, {})).items.length,
  }
}

/** Until the program has answered its first search; its memory then and at most until then. */
export async function startAndSearch(directory: string, end: number) {
  const began = performance.now()
  // Agents read a week of events in their first minutes, which is other work than what is measured.
  const soc = await startSoc(directory, { SOC_SEARCH_SECONDS: '600', SOC_AGENTS: 'off' })
  const api = createApi(soc)
  await api.lastFifty(TERM, end - 24 * HOUR_MS)
  api.close()
  const seconds = (performance.now() - began) / 1_000
  return { soc, seconds, megabytes: memoryOf(soc).most }
}

const QUIET_SHARE = 0.1
/** In a row: some of it begins seconds after the start. */
const QUIET_S = 5
const PATIENCE_S = 180

/** Until what a start leaves for later is done: questions are then asked of a service at rest. */
export async function restOf(soc: SocService) {
  let quiet = 0
  for (let second = 0; second < PATIENCE_S && quiet < QUIET_S; second++) {
    const before = cpuOf(soc)
    await pause(1_000)
    quiet = cpuOf(soc) - before < QUIET_SHARE * 1e6 ? quiet + 1 : 0
  }
}

/** As Linux counts it; nothing elsewhere. */
export function memoryOf({ child }: SocService) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

const TICKS_PER_SECOND = 100

/** What the service has used of the processors, in microseconds; PostgreSQL is another process. */
export const cpuOf = ({ child }: SocService) => statOf(`/proc/${child.pid}/stat`).micros

/** The same by the names of its threads: helpers of V8 and DuckDB have one name for several. */
export function cpuByThread({ child }: SocService): Map<string, number> {
  const used = new Map<string, number>()
  for (const id of readdirSync(`/proc/${child.pid}/task`)) {
    try {
      const { name, micros } = statOf(`/proc/${child.pid}/task/${id}/stat`)
      used.set(name, (used.get(name) ?? 0) + micros)
    } catch {
      // It has ended since it was listed.
    }
  }
  return used
}

function statOf(file: string) {
  const text = readFileSync(file, 'utf8')
  const end = text.lastIndexOf(') ')
  const fields = text.slice(end + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return { name: text.slice(text.indexOf('(') + 1, end), micros: (ticks / TICKS_PER_SECOND) * 1e6 }
}
