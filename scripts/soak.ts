import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { STRAY } from '@manara/kit/service'
import { createSocClient } from '../apps/soc/src/simulated-devices/soc-client.ts'
import { testAuthority } from '../apps/soc/src/testing/test-authority.ts'
import { PASSWORD } from '../bench/servers.ts'
import { startSoc } from '../bench/soc-service.ts'
import { sessionOf } from './demo/soc-client.ts'
import { createBurst } from './soak/burst.ts'
import { createSender } from './soak/sender.ts'
import { watch } from './soak/watch.ts'

const PROBE = new URL('./soak/probe.ts', import.meta.url)
const MB = 2 ** 20
/** Between one burst and the next like it. */
const MAY_GROW = 100 * MB
/** When it is over, whatever it was before. */
const MAY_HOLD = 1_024 * MB

/**
 * `npm run soak -- --fuzz [--minutes 2]`: everything that was made to break a service, at a real one
 * and for a bounded time, as two bursts of the same. Ends with 1 after an answer that is a bug, a
 * stall of its event loop, memory that stays, or something that was never reached.
 */
const { values: asked } = parseArgs({
  options: { fuzz: { type: 'boolean' }, minutes: { type: 'string', default: '2' } },
})
const minutes = Number(asked.minutes)
if (!asked.fuzz || !(minutes > 0)) {
  process.stdout.write('npm run soak -- --fuzz [--minutes 2]\n')
  process.exit(2)
}
const SYSLOG = 15_514
const SYSLOG_TLS = 16_514
const MQTT = 18_883

const folder = mkdtempSync(path.join(tmpdir(), 'manara-soak-'))
const authority = await testAuthority('Soak')
const sending = { ca: authority.ca, ...(await authority.issue('sender')) }
function fileOf(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}
const listening = await authority.issue('localhost')
const service = await startSoc(path.join(folder, 'data'), {
  SOC_RATE_INVESTIGATE: '1000000',
  SOC_RATE_EXECUTE: '1000000',
  SOC_SYSLOG_UDP: `127.0.0.1:${SYSLOG}`,
  SOC_SYSLOG_TCP: `127.0.0.1:${SYSLOG}`,
  SOC_SYSLOG_TLS: `127.0.0.1:${SYSLOG_TLS}`,
  SOC_SYSLOG_TLS_CERT: fileOf('syslog.crt', listening.cert),
  SOC_SYSLOG_TLS_KEY: fileOf('syslog.key', listening.key),
  SOC_SYSLOG_TLS_CA: fileOf('syslog.ca', authority.ca),
  SOC_SYSLOG_RATE: '1000000000',
  SOC_MQTT_PORT: String(MQTT),
  SOAK_PROBE: path.join(folder, 'probe'),
  NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${PROBE}`,
})
// Whoever ends us ends the service, too.
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    service.child.kill('SIGKILL')
    process.exit(1)
  })
}

const base = service.address.replace('/api/v1', '')
const sender = createSender(base, service.headers)
const { faults } = sender
let [isOver, phase] = [false, 'start']
service.child.once('exit', () => {
  if (!isOver) faults.add('the service ended')
})
service.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
  if (text.includes(STRAY)) faults.add(text)
})
const watched = watch(service.child.pid ?? 0, path.join(folder, 'probe'), (from, until) =>
  [phase, ...sender.underWay(from, until)].join(', '),
)
const progress = setInterval(() => {
  const { stalls, rss } = watched.seen
  print(
    `${phase}: ${sender.sentCount()} sent, ${faults.size} faults, ${stalls.length} stalls, ${mb(rss)}`,
  )
}, 5_000)

function onPhase(name: string) {
  phase = name
}

async function fuzz() {
  const soc = createSocClient({ url: base, username: 'admin', password: PASSWORD })
  await soc.signIn()
  const burst = createBurst({
    ...{ sender, soc, onPhase, certificate: sending },
    signIn: () => sessionOf(base, 'admin', PASSWORD),
    ports: {
      ...{ http: Number(new URL(base).port), syslog: SYSLOG },
      ...{ syslogTls: SYSLOG_TLS, mqtt: MQTT },
    },
  })
  await pause(3_000)
  watched.begin()
  const memory: number[] = [watched.seen.rss]
  for (const round of [1, 2]) {
    await burst(Date.now() + (minutes * 60_000) / 2)
    phase = `memory after burst ${round}`
    memory.push(await watched.steadyRss())
  }
  // What is tried without a session is refused, and shows nothing.
  if ((await sender.send('GET', '/api/v1/users/me')).status !== 200) faults.add('the session ended')
  return memory
}

const [before = 0, first = 0, last = 0] = await fuzz().catch((error) => {
  service.child.kill('SIGKILL')
  throw error
})
watched.stop()
clearInterval(progress)
isOver = true
service.child.kill('SIGTERM')
await new Promise((resolve) => service.child.once('exit', resolve))
rmSync(folder, { recursive: true, force: true })

const memory = `${mb(before)} before, ${mb(first)} after one burst, ${mb(last)} after two`
if (last - first > MAY_GROW || last > MAY_HOLD) faults.add(`memory stays: ${memory}`)
for (const [kind, names] of sender.reached()) {
  print(`${kind}: ${names.size}`)
  const counts = [...names].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, count] of counts) {
    print(`  ${String(count).padStart(6)}  ${name}`)
    if (count === 0) faults.add(`never reached: ${kind} ${name}`)
  }
}
for (const fault of [...faults].slice(0, 50)) print(`FAULT ${fault}`)
const { stalls, waits } = watched.seen
for (const { late, own, during } of stalls.slice(0, 50)) {
  print(`STALL ${own} ms of work, ${late} ms late, during ${during}`)
}
const statuses = [...sender.statuses].toSorted().map(([status, count]) => `${status}: ${count}`)
print(
  `${sender.sentCount()} sent (${statuses.join(', ')}), ${faults.size} faults, ${stalls.length} stalls over 200 ms of work (${waits} more without: others had the cores), memory ${memory}`,
)
process.exitCode = faults.size + stalls.length === 0 ? 0 : 1

function mb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
