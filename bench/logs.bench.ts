import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '@manara/kit/logging'
import { startEmbeddedPostgres } from '../apps/soc/src/adapters/embedded-postgres.ts'
import { startClickhouse } from '../apps/soc/src/testing/clickhouse-servers.ts'
import { missing } from '../scripts/debian-packages.ts'
import { createCaller, type Target } from './load.ts'
import { createEvents, RARE } from './logs-events.ts'
import { clickhousePeer, type LogQueries, type Peer, postgresPeer } from './logs-peers.ts'
import { openRaw } from './logs-raw.ts'
import { signedIn, startServer, stopServer } from './servers.ts'

export const name = 'soc logs'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 5_000_000)
/** The peers take long to load: all engines are compared with so many events. */
const COMPARED = Math.min(EVENTS, Number(process.env.BENCH_COMPARED ?? 500_000))
const LIMITS = {
  eventsPerSecond: 20_000,
  lastFifty: 100,
  everywhere: 60,
  hourly: 150,
  bySourceAndSeverity: 50,
  overhead: 1.3,
  loopP99: 20,
  bytesPerEvent: 200,
}
const HOUR_MS = 3_600_000
const TERM = 'failed password'
const BATCH = 1_000
/** Sent while searches run, to see both together. */
const TOGETHER = 60 * BATCH

/** The real service, events over HTTP; the peers get the same events and questions. */
export async function run(print: (line: string) => void): Promise<boolean> {
  await using undo = new AsyncDisposableStack()
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-logs-bench-'))
  undo.defer(() => rmSync(directory, { recursive: true, force: true }))
  const soc = await startServer(
    '../apps/soc/src/main.ts',
    { SOC_RATE_INGEST: '1000000000' },
    directory,
  )
  let isStopped = false
  const stopSoc = async () => {
    if (!isStopped) await stopServer(soc.child)
    isStopped = true
  }
  undo.defer(stopSoc)
  const target = await signedIn(soc.address)
  const api = createApi(target)
  undo.defer(async () => api.close())

  const end = Date.now()
  const compared = await storeOverHttp(target, createEvents(COMPARED, end, 1), COMPARED)
  print(`soc: ${perSecond(compared)} of the first ${number(COMPARED)} events`)
  await measure('soc', api, end, print)
  await comparePeers(undo, directory, end, print)

  const left = EVENTS - COMPARED
  const rest = await storeOverHttp(target, createEvents(left, end, 2), left)
  const stored = { events: compared.events + rest.events, ms: compared.ms + rest.ms }
  print(
    `ingest over HTTP, durable: ${perSecond(stored)} (limit ${number(LIMITS.eventsPerSecond)}/s)`,
  )
  print(`with ${number(EVENTS)} events:`)
  const ours = await measure('soc', api, end, print)
  const loopP99 = await measureTogether(target, api, end)
  print(
    `event loop while searching and ingesting: p99 ${loopP99.toFixed(1)} ms (limit ${LIMITS.loopP99} ms)`,
  )

  await stopSoc()
  const logs = path.join(directory, 'soc', 'logs')
  const raw = await openRaw(logs)
  const engine = await measure('raw DuckDB', raw, end, print)
  raw.close()
  // What DuckDB alone does by reading everything, we look up: only equal work is compared.
  const overhead = ours.hourly / engine.hourly
  print(
    `histogram over the API against raw DuckDB: ${overhead.toFixed(2)}× (limit ${LIMITS.overhead}×)`,
  )
  const bytesPerEvent = sizeOf(logs) / (stored.events + TOGETHER)
  print(`on disk: ${bytesPerEvent.toFixed(0)} bytes an event (limit ${LIMITS.bytesPerEvent})`)

  return (
    (stored.events / stored.ms) * 1_000 >= LIMITS.eventsPerSecond &&
    ours.lastFifty <= LIMITS.lastFifty &&
    ours.everywhere <= LIMITS.everywhere &&
    ours.hourly <= LIMITS.hourly &&
    ours.bySourceAndSeverity <= LIMITS.bySourceAndSeverity &&
    overhead <= LIMITS.overhead &&
    loopP99 <= LIMITS.loopP99 &&
    bytesPerEvent <= LIMITS.bytesPerEvent
  )
}

const number = (value: number) => value.toLocaleString('en')
const perSecond = ({ events, ms }: { events: number; ms: number }) =>
  `${number(Math.round((events / ms) * 1_000))} events/s`

const sizeOf = (directory: string) =>
  readdirSync(directory)
    .filter((file) => file.includes('.duckdb'))
    .reduce((sum, file) => sum + statSync(path.join(directory, file)).size, 0)

type Events = ReturnType<typeof createEvents>

/** Sixteen callers; making the events is not counted. */
async function storeOverHttp(target: Target, events: Events, count: number) {
  let ms = 0
  for (let left = count; left > 0; ) {
    const bodies = bodiesOf(events, Math.min(left, 50 * BATCH))
    left -= 50 * BATCH
    const began = performance.now()
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let body = bodies.pop(); body; body = bodies.pop()) await post(target, body)
      }),
    )
    ms += performance.now() - began
  }
  return { events: count, ms }
}

function bodiesOf(events: Events, count: number): string[] {
  const bodies: string[] = []
  for (let left = count; left > 0; left -= BATCH) {
    const lines = events
      .take(Math.min(left, BATCH))
      .map(({ at, received_at, original, ...log }) => {
        return JSON.stringify({ ...log, timestamp: new Date(at).toISOString() })
      })
    bodies.push(lines.join('\n'))
  }
  return bodies
}

async function post({ address, headers }: Target, body: string) {
  const reply = await fetch(`${address}/siem/logs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body,
  })
  if (!reply.ok) throw new Error(`POST /siem/logs: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}

/** The questions as a client asks them. */
function createApi(target: Target): LogQueries & { close(): void } {
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
    everywhere: async (text) => (await get('/siem/logs', { q: `"${text}"` })).items.length,
    hourly: async (from) =>
      (await get('/siem/histogram', { ...since(from), bucket_s: '3600', by: 'severity' })).buckets
        .length,
    async bySourceAndSeverity() {
      await get('/siem/sources', {})
      return (await get('/siem/fields/severity/values', {})).items.length
    },
  }
}

async function measure(
  who: string,
  queries: LogQueries,
  end: number,
  print: (line: string) => void,
) {
  const median = async (ask: () => Promise<number>) => {
    const times: number[] = []
    for (let turn = 0; turn < 9; turn++) {
      const began = performance.now()
      if ((await ask()) === 0) throw new Error(`${who} found nothing`)
      times.push(performance.now() - began)
    }
    return times.toSorted((a, b) => a - b)[4] as number
  }
  const lastFifty = await median(() => queries.lastFifty(TERM, end - 24 * HOUR_MS))
  const rare = []
  for (const text of Object.values(RARE)) rare.push(await median(() => queries.everywhere(text)))
  const hourly = await median(() => queries.hourly(end - 7 * 24 * HOUR_MS))
  const bySourceAndSeverity = await median(() => queries.bySourceAndSeverity())
  const [term = 0, address = 0, hash = 0] = rare
  print(
    `${who}: last 50 of a text in 24 h ${lastFifty.toFixed(0)} ms (${LIMITS.lastFifty}); over everything a rare term ${term.toFixed(0)}, address ${address.toFixed(0)}, hash ${hash.toFixed(0)} ms (${LIMITS.everywhere}); hourly over 7 days ${hourly.toFixed(0)} ms (${LIMITS.hourly}); by source and severity ${bySourceAndSeverity.toFixed(0)} ms (${LIMITS.bySourceAndSeverity})`,
  )
  return { lastFifty, everywhere: Math.max(...rare), hourly, bySourceAndSeverity }
}

async function comparePeers(
  undo: AsyncDisposableStack,
  directory: string,
  end: number,
  print: (line: string) => void,
) {
  const peers: Peer[] = []
  const log = createLogger({ service: 'bench', level: 'error', pretty: false })
  const postgres = await startEmbeddedPostgres(path.join(directory, 'peer'), log)
  undo.defer(() => postgres.stop())
  peers.push(await postgresPeer(postgres.owner))
  if (missing([{ name: 'clickhouse-server', command: 'clickhouse-server', why: '' }]).length > 0) {
    print('ClickHouse is left out: Debian’s clickhouse-server is not installed')
  } else {
    const { urls } = await startClickhouse({ after: (work) => undo.defer(work) }, 1)
    peers.push(await clickhousePeer(urls[0] as string))
  }
  for (const peer of peers) {
    const events = createEvents(COMPARED, end, 1)
    let ms = 0
    for (let left = COMPARED; left > 0; left -= 5_000) {
      const logs = events.take(Math.min(left, 5_000))
      const began = performance.now()
      await peer.insert(logs)
      ms += performance.now() - began
    }
    const began = performance.now()
    await peer.finish()
    ms += performance.now() - began
    const bytes = (await peer.bytes()) / COMPARED
    print(
      `${peer.name}: ${perSecond({ events: COMPARED, ms })}, ${bytes.toFixed(0)} bytes an event`,
    )
    await measure(peer.name, peer, end, print)
  }
}

/** Both at once for some seconds; what the service's own event loop says about it. */
async function measureTogether(target: Target, api: LogQueries, end: number): Promise<number> {
  const lag = async () => {
    const text = await (await fetch(new URL('/metrics', target.address))).text()
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1_000
  }
  await lag()
  const events = createEvents(TOGETHER, end, 3)
  const ingesting = storeOverHttp(target, events, TOGETHER)
  let isDone = false
  void ingesting.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await api.lastFifty(TERM, end - 24 * HOUR_MS)
    await api.hourly(end - 7 * 24 * HOUR_MS)
    await api.everywhere(RARE.address)
  }
  await ingesting
  return lag()
}
