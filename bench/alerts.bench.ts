import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '@manara/kit/logging'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/soc/src/adapters/embedded-postgres.ts'
import { seedAlerts } from './alerts-seed.ts'
import { ledgerLine, readLedger } from './cpu-ledger.ts'
import { load, type Request, sideBySide, type Target } from './load.ts'
import { startServer, stopServer } from './servers.ts'
import { startSoc, stopSoc } from './soc-service.ts'

export const name = 'soc alerts'

const ALERTS = 1_000_000
const LIMITS = { overhead: 1.2, readP99: 50, createsPerSecond: 1_500 }

/** The service as `npm start` runs it and a bare Fastify in processes of their own, on one PostgreSQL. */
export async function run(print: (line: string) => void): Promise<boolean> {
  await using undo = new AsyncDisposableStack()
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-bench-'))
  undo.defer(() => rmSync(directory, { recursive: true, force: true }))
  const log = createLogger({ service: 'bench', level: 'error', pretty: false })
  const postgres = await startEmbeddedPostgres(directory, log)
  undo.defer(() => postgres.stop())
  const { host, user, database } = postgres.owner
  const databaseUrl = `postgresql:///${database}?host=${host}&user=${user}`

  const settings = { DATABASE_URL: databaseUrl }
  const soc = await startSoc(path.join(directory, 'soc'), settings)
  undo.defer(() => stopSoc(soc))
  const bare = await startServer('alerts-bare-server.ts', settings, directory)
  undo.defer(() => stopServer(bare.child))
  const pidFile = path.join(directory, 'postgres', 'postmaster.pid')
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])

  const seeding = performance.now()
  const client = new pg.Client(postgres.owner)
  await client.connect()
  await seedAlerts(client, ALERTS)
  await client.end()
  const seconds = (performance.now() - seeding) / 1_000
  print(`${ALERTS.toLocaleString('en')} alerts stored in ${seconds.toFixed(0)} s`)

  const held = [
    await compare('list, 50 of status=closed', 2, () => ({
      method: 'GET',
      path: '/alerts?status=closed',
    })),
    await compare('create, half of them repeats', 4, createAlert()),
    await listing(soc),
    await reading('statistics', soc, ['/stats/overview', '/dashboard/stats']),
    await creating(soc),
  ]
  return held.every(Boolean)

  async function compare(what: string, callers: number, next: (index: number) => Request) {
    await sideBySide([soc, bare], callers, 500, next)
    const [ours, peer] = await sideBySide([soc, bare], callers, 4_000, next)
    const ratio = ours.p50 / peer.p50
    print(
      `${what}: soc p50 ${ours.p50.toFixed(2)} ms, bare Fastify ${peer.p50.toFixed(2)} ms: ${ratio.toFixed(2)}× (limit ${LIMITS.overhead}×)`,
    )
    return ratio <= LIMITS.overhead
  }

  async function reading(what: string, ours: Target, paths: string[]) {
    let worst = 0
    for (const path of paths) {
      const next = (): Request => ({ method: 'GET', path })
      await load(ours, 1, 20, next)
      const { p50, p99 } = await load(ours, 1, 300, next)
      print(`GET ${path}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
      worst = Math.max(worst, p99)
    }
    print(`${what}: worst p99 ${worst.toFixed(1)} ms (limit ${LIMITS.readP99} ms)`)
    return worst <= LIMITS.readP99
  }

  function listing(ours: Target) {
    const queries = [
      '',
      'severity=high',
      'status=new',
      'status=closed',
      'source=source-3',
      'severity=critical&status=new',
      'severity=info&status=suppressed&source=source-4',
      'severity=high&source=source-19',
      'host=host-77',
      'q=user77',
      'severity=high&limit=200',
    ]
    const paths = queries.map((query) => `/alerts?${query}`)
    return reading('list with a filter', ours, paths)
  }

  async function creating(ours: Target) {
    const several = await storing('create, deduplicated and durable', ours, 20_000, createAlert)
    const peer = await load(bare, 16, 5_000, createAlert())
    print(`the same statements from bare Fastify, 16 callers: ${peer.perSecond.toFixed(0)}/s`)
    const same = () => () => alert('always the same')
    return (await storing('the same alert over and over', ours, 10_000, same)) && several
  }

  async function storing(
    what: string,
    ours: Target,
    count: number,
    make: () => (index: number) => Request,
  ) {
    await load(ours, 16, 2_000, make())
    const processes = { service: soc.child.pid as number, postmaster }
    const before = readLedger(processes)
    const { perSecond, p99 } = await load(ours, 16, count, make())
    const after = readLedger(processes)
    print(
      `${what}, 16 callers: ${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms (limit ${LIMITS.createsPerSecond}/s)`,
    )
    print(ledgerLine(before, after, count))
    return perSecond >= LIMITS.createsPerSecond
  }
}

const alert = (title: string): Request => ({
  method: 'POST',
  path: '/alerts',
  body: { title, source: 'bench', severity: 'high', iocs: ['10.0.0.7'], host: 'web-1' },
})

/** Every second one has been sent before. */
function createAlert() {
  const batch = performance.now()
  return (index: number) => alert(`Alert ${batch} ${index % 2 ? index : index >> 1}`)
}
