import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '@manara/kit/logging'
import { startEmbeddedPostgres } from '../apps/soc/src/adapters/embedded-postgres.ts'
import { startClickhouse } from '../apps/soc/src/testing/clickhouse-servers.ts'
import { memoryOf } from './logs-service.ts'
import { madeEvents, madeRules, seeded } from './sigma-made.ts'
import { callerOf, type SocService, startSoc, stopSoc } from './soc-service.ts'

export const name = 'soc rules on arriving events, several processes'

// `RULES=1000 PROCESSES=1 EVENTS=5000 npm run bench rules` is a short look.
const RULES = Number(process.env.RULES ?? 10_000)
const PROCESSES = Number(process.env.PROCESSES ?? 3)
const EVENTS = Number(process.env.EVENTS ?? 30_000)
const BATCH = 500
const FILES_AT_ONCE = 1_000
const MOST_LAG_S = 60

/**
 * Thousands of rules in several processes on one PostgreSQL and one ClickHouse. Events in the shape
 * of Windows' are sent to all of them at once; the lag is from the acknowledgement of the last one
 * until a rule has raised its alert about it, in the process that is slowest.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-bench-'))
  await using undo = new AsyncDisposableStack()
  undo.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }))
  const settings = await engines(directory, undo)
  const services: SocService[] = []
  for (let n = 0; n < PROCESSES; n += 1) {
    const service = await startSoc(path.join(directory, `soc-${n}`), settings)
    undo.defer(() => stopSoc(service))
    services.push(service)
  }
  const [first] = services as [SocService]
  const importing = performance.now()
  await importRules(first)
  print(`${RULES} rules imported in ${seconds(importing)} s, ${PROCESSES} processes`)

  await Promise.all(services.map((service, n) => lagOf(service, `warm-${n}`)))
  print(`memory with the rules: ${services.map(megabytesOf).join(', ')} MB`)
  const events = madeEvents(EVENTS, seeded(7))
  const began = performance.now()
  const share = Math.ceil(EVENTS / PROCESSES)
  await Promise.all(
    services.map((service, n) => send(service, events.slice(n * share, (n + 1) * share))),
  )
  const sent = seconds(began)
  const lags = await Promise.all(services.map((service, n) => lagOf(service, `last-${n}`)))
  const lag = Math.max(...lags)
  const rate = Math.round(EVENTS / ((performance.now() - began) / 1_000))
  print(`${EVENTS} events acknowledged in ${sent} s`)
  print(`looked at by all rules: ${rate} events/s over all processes`)
  print(`memory after the events: ${services.map(megabytesOf).join(', ')} MB`)
  print(`load of the machine meanwhile: ${loadavg()[0]?.toFixed(1)}`)
  print(`lag of the last event: ${lag.toFixed(1)} s (limit ${MOST_LAG_S} s)`)
  return lag <= MOST_LAG_S
}

async function engines(directory: string, undo: AsyncDisposableStack) {
  const log = createLogger({ service: 'bench', level: 'silent', pretty: false })
  const postgres = await startEmbeddedPostgres(path.join(directory, 'postgres'), log)
  undo.defer(() => postgres.stop())
  const after = (work: () => Promise<void>) => undo.defer(work)
  const { urls } = await startClickhouse({ after }, 1)
  const { host, user, database } = postgres.owner
  return {
    DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    CLICKHOUSE_URL: urls.join(','),
    SOC_STARTER_RULES: 'off',
    SOC_AGENTS: 'off',
    SOC_LOG: 'silent',
  }
}

async function importRules(service: SocService) {
  const files = madeRules(RULES, seeded(1))
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const body = { files: files.slice(at, at + FILES_AT_ONCE) }
    await callerOf(service).call('POST', '/detections/rules/import?enable=true', body)
  }
}

async function send(service: SocService, events: object[]) {
  const { call } = callerOf(service)
  for (let at = 0; at < events.length; at += BATCH) {
    await call('POST', '/siem/logs', { events: events.slice(at, at + BATCH) })
  }
}

/** Seconds from the acknowledgement of one more event until its alert is there. */
async function lagOf(service: SocService, word: string): Promise<number> {
  const { call } = callerOf(service)
  const { id } = await call('POST', '/detections/rules', {
    name: `marker ${word}`,
    query: `bench_marker:"${word}"`,
  })
  await call('POST', '/siem/logs', { events: [{ bench_marker: word }] })
  const began = performance.now()
  while ((await call('GET', `/alerts?rule_id=${id}`)).items.length === 0) await pause(50)
  return (performance.now() - began) / 1_000
}

const megabytesOf = (service: SocService) => Math.round(memoryOf(service).now)

const seconds = (began: number) => ((performance.now() - began) / 1_000).toFixed(1)
