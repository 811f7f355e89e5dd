import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEvents } from './logs-events.ts'
import { cpuOf, memoryOf } from './logs-service.ts'
import { callerOf, type SocService, startSoc, stopSoc } from './soc-service.ts'

export const name = 'soc iocs'

const IOCS = 1_000_000
const FILE = 100_000
const LIMITS = { importedPerSecond: 5_000, slowdown: 1.1 }
const ROUNDS = 4
const EVENTS = 40_000
const BATCH = 1_000
const CALLERS = 4

/**
 * Two services with databases of their own: one without indicators, one with a million. Both take
 * the same events, turn and turn about.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  await using undo = new AsyncDisposableStack()
  const start = async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'soc-bench-'))
    undo.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }))
    const service = await startSoc(directory)
    undo.defer(() => stopSoc(service))
    return service
  }
  const [bare, full] = [await start(), await start()]
  const held = [await importing(full), await ingesting()]
  return held.every(Boolean)

  async function importing(service: SocService): Promise<boolean> {
    const stix = await timed(() =>
      send(service, '/iocs/import', 'application/json', bundle(IOCS, FILE / 2)),
    )
    print(`import of a STIX bundle of ${FILE / 2}: ${(FILE / 2 / stix).toFixed(0)}/s`)
    let slowest = FILE / 2 / stix
    for (let from = 0; from < IOCS; from += FILE) {
      const file = Array.from({ length: FILE }, (_, index) => indicatorAt(from + index)).join('\n')
      const perSecond = FILE / (await timed(() => send(service, '/iocs/import', 'text/csv', file)))
      slowest = Math.min(slowest, perSecond)
      if (from === 0 || from + FILE === IOCS) {
        print(`import of CSV, ${from.toLocaleString('en')} known: ${perSecond.toFixed(0)}/s`)
      }
    }
    print(
      `import, slowest of ${IOCS / FILE + 1} files: ${slowest.toFixed(0)}/s (limit ${LIMITS.importedPerSecond}/s)`,
    )
    return slowest >= LIMITS.importedPerSecond
  }

  async function ingesting(): Promise<boolean> {
    await lookedBack(full)
    const sides = [
      { service: bare, seconds: 0, cpu: 0 },
      { service: full, seconds: 0, cpu: 0 },
    ]
    const batches = ndjson(EVENTS)
    for (const { service } of sides) await ingest(service, batches.slice(0, 10))
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of sides) {
        const before = cpuOf(side.service)
        side.seconds += await timed(() => ingest(side.service, batches))
        side.cpu += cpuOf(side.service) - before
      }
    }
    const [without, withAll] = sides.map(({ service, seconds, cpu }) => ({
      perSecond: (ROUNDS * EVENTS) / seconds,
      micros: cpu / (ROUNDS * EVENTS),
      megabytes: memoryOf(service).now,
    })) as [Measured, Measured]
    const ratio = without.perSecond / withAll.perSecond
    print(`ingest without indicators: ${told(without)}`)
    print(`ingest with ${(IOCS + FILE / 2).toLocaleString('en')} indicators: ${told(withAll)}`)
    print(`slower by ${ratio.toFixed(3)}× (limit ${LIMITS.slowdown.toFixed(2)}×)`)
    return ratio <= LIMITS.slowdown
  }
}

type Measured = { perSecond: number; micros: number; megabytes: number }

const told = ({ perSecond, micros, megabytes }: Measured) =>
  `${perSecond.toFixed(0)} events/s, ${micros.toFixed(1)} µs of CPU an event, ${megabytes.toFixed(0)} MB`

/** Addresses, domains, URLs and hashes in equal parts. None is in the events. */
function indicatorAt(index: number): string {
  const hex = index.toString(16).padStart(8, '0')
  switch (index % 5) {
    case 0:
      return `${240 + (index % 8)}.${(index >> 3) % 256}.${(index >> 11) % 256}.${(index >> 19) % 256}`
    case 1:
      return `bad-${hex}.test`
    case 2:
      return `http://bad-${hex}.test/gate?id=${index}`
    case 3:
      return hex.repeat(8)
    default:
      return hex.repeat(4)
  }
}

function bundle(from: number, count: number): string {
  const objects = Array.from({ length: count }, (_, index) => ({
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${crypto.randomUUID()}`,
    pattern_type: 'stix',
    pattern: `[domain-name:value = 'stix-${from + index}.test']`,
    valid_from: '2026-01-01T00:00:00Z',
    confidence: 80,
    labels: ['bench'],
  }))
  return JSON.stringify({ type: 'bundle', id: `bundle--${crypto.randomUUID()}`, objects })
}

function ndjson(count: number): string[] {
  const lines: string[] = []
  for (const log of createEvents({ count, end: Date.now(), days: 30, seed: 42 }).take(count)) {
    const { id: _, at, fields, received_at: __, original: ___, ...common } = log
    lines.push(JSON.stringify({ timestamp: new Date(at).toISOString(), ...common, ...fields }))
  }
  return Array.from({ length: count / BATCH }, (_, batch) =>
    lines.slice(batch * BATCH, (batch + 1) * BATCH).join('\n'),
  )
}

async function ingest(service: SocService, batches: string[]) {
  let sent = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (sent < batches.length) {
        await send(service, '/siem/logs', 'application/x-ndjson', batches[sent++] ?? '')
      }
    }),
  )
}

async function lookedBack(service: SocService) {
  while (true) {
    const { items } = await callerOf(service).call('GET', '/iocs?limit=1&order=desc')
    if (items[0]?.lookback !== 'pending') return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function send(service: SocService, route: string, type: string, body: string) {
  const reply = await fetch(service.address + route, {
    method: 'POST',
    headers: { ...service.headers, 'content-type': type },
    body,
  })
  if (!reply.ok) throw new Error(`${route}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}
