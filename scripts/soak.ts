import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { malformedRequests } from '@manara/kit/testing/malformed-requests'
import fc from 'fast-check'
import { startSoc } from '../bench/soc-service.ts'
import { hostileBodies, hostileLines, hostileQueries } from './soak/hostile.ts'
import { watch } from './soak/watch.ts'

const PROBE = new URL('./soak/probe.ts', import.meta.url)

/**
 * `npm run soak -- --fuzz [--minutes 3]`: everything that was made to break a service, at a real one
 * and for a bounded time. Ends with 1 after an answer that is a bug, a stall of its event loop, or
 * memory that stays.
 */
const { values: asked } = parseArgs({
  options: { fuzz: { type: 'boolean' }, minutes: { type: 'string', default: '3' } },
})
if (!asked.fuzz) {
  process.stdout.write('npm run soak -- --fuzz [--minutes 3]\n')
  process.exit(2)
}
const UDP = 15_514
const STAYS = 300 * 2 ** 20
// Those would end the session, the user, or our patience.
const LEFT_OUT = /\/(auth\/logout|events\/stream|siem\/tail|users\/me\/password|chat\/stream)$/
/** What is not set up here says so, which is what a 503 is for: nothing else may. */
const NOT_SET_UP =
  /^\{"detail":"(no EDR is connected|no mail server is connected|a PDF is printed by Chromium|response rules )/

const folder = mkdtempSync(path.join(tmpdir(), 'manara-soak-'))
const service = await startSoc(path.join(folder, 'data'), {
  SOC_RATE_INVESTIGATE: '1000000',
  SOC_RATE_EXECUTE: '1000000',
  SOC_SYSLOG_UDP: `127.0.0.1:${UDP}`,
  SOC_SYSLOG_TCP: `127.0.0.1:${UDP}`,
  SOC_SYSLOG_RATE: '1000000000',
  SOC_MQTT_PORT: '0',
  SOAK_PROBE: path.join(folder, 'probe'),
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
let isOver = false
service.child.once('exit', () => {
  if (!isOver) faults.add('the service ended')
})

const faults = new Set<string>()
const counts = new Map<string, number>()
let [sent, phase] = [0, 'start']
const ends = Date.now() + Number(asked.minutes) * 60_000
const watched = watch(service.child.pid ?? 0, path.join(folder, 'probe'), () => phase)
const progress = setInterval(() => {
  const mb = Math.round(watched.seen.rss / 2 ** 20)
  process.stdout.write(
    `${phase}: ${sent} sent, ${faults.size} faults, ${watched.seen.stalls.length} stalls, ${mb} MB\n`,
  )
}, 5_000)

async function send(method: string, url: string, init: RequestInit = {}) {
  sent += 1
  try {
    const reply = await fetch(new URL(url, base), {
      ...init,
      method,
      headers: { ...service.headers, ...init.headers },
      signal: AbortSignal.timeout(60_000),
    })
    counts.set(String(reply.status), (counts.get(String(reply.status)) ?? 0) + 1)
    const text = await reply.text()
    if (reply.status >= 500 && !(reply.status === 503 && NOT_SET_UP.test(text))) {
      faults.add(`${reply.status} ${method} ${url.slice(0, 120)} ${text.slice(0, 120)}`)
    }
  } catch (error) {
    if (!isOver) faults.add(`no answer: ${method} ${url.slice(0, 120)} ${error}`)
  }
}

/** Several at once, until the list or the time is over. */
async function inParallel<T>(all: Iterable<T>, work: (one: T) => Promise<void>) {
  const items = all[Symbol.iterator]()
  const worker = async () => {
    for (let next = items.next(); !next.done && Date.now() < ends; next = items.next()) {
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
}

async function fuzz() {
  await pause(3_000)
  watched.begin()
  const before = watched.seen.rss

  phase = 'queries'
  await inParallel(hostileQueries(), async (q) => {
    await send('GET', `/api/v1/siem/logs?q=${encodeURIComponent(q)}`)
    await send('GET', `/api/v1/siem/histogram?q=${encodeURIComponent(q)}`)
  })
  phase = 'bodies'
  await inParallel(hostileBodies(), async ({ url, type, body, encoding }) => {
    const headers = {
      ...(type ? { 'content-type': type } : {}),
      ...(encoding ? { 'content-encoding': encoding } : {}),
    }
    await send('POST', url, {
      headers,
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  })
  phase = 'syslog'
  await syslog()
  phase = 'routes'
  const { paths, components } = (await (
    await fetch(`${base}/api/v1/openapi.json`, service)
  ).json()) as { paths: Record<string, never>; components: { schemas: Record<string, never> } }
  for (const one of Object.keys(paths)) if (LEFT_OUT.test(one)) delete paths[one]
  const known = await makeRecords()
  const hostile = malformedRequests(paths, known, components.schemas)
  do {
    const requests = fc.sample(hostile, 500)
    await inParallel(requests, ({ method, url, payload, type }) =>
      send(method, url, {
        ...(type ? { headers: { 'content-type': type } } : {}),
        ...(payload === undefined ? {} : { body: payload }),
      }),
    )
  } while (Date.now() < ends)

  phase = 'memory'
  const limit = before + STAYS
  for (let second = 0; second < 60 && (watched.seen.rss > limit || second < 5); second += 1) {
    await pause(1_000)
  }
  if (watched.seen.rss > limit) {
    faults.add(`memory stays: ${before >> 20} MB before, ${watched.seen.rss / 2 ** 20} MB after`)
  }
  return before
}

/** Ids that exist, of every kind that is made by one call: behind a 404 nothing is tried. */
async function makeRecords(): Promise<string[]> {
  const make = async (url: string, body: object) => {
    const reply = await fetch(`${service.address}${url}`, {
      method: 'POST',
      headers: { ...service.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { id } = (await reply.json()) as { id?: string }
    if (id === undefined) throw new Error(`nothing to try on: POST ${url} ${reply.status}`)
    return id
  }
  const steps = [{ id: 'rest', action: 'wait', params: { seconds: 1 } }]
  return [
    'admin',
    'agent-001',
    'triage-alert',
    await make('/alerts', { title: 'a', source: 's', severity: 'low', iocs: [] }),
    await make('/cases', { title: 'c', severity: 'low' }),
    await make('/sites', { name: 'here' }),
    await make('/siem/hunts', { title: 'h', query: 'a' }),
    await make('/iocs', { type: 'ip', value: '203.0.113.9' }),
    await make('/soar/playbooks', { name: 'p', steps }),
  ]
}

async function syslog() {
  const datagrams = createSocket('udp4')
  const stream = connect(UDP, '127.0.0.1')
  stream.on('error', () => {})
  for (const line of hostileLines()) {
    sent += 2
    datagrams.send(line.slice(0, 60_000), UDP, '127.0.0.1')
    stream.write(`${line.replaceAll('\n', ' ')}\n`)
    await pause(10)
  }
  stream.end()
  datagrams.close()
  await pause(2_000)
  await send('GET', '/health')
}

const before = await fuzz().catch((error) => {
  service.child.kill('SIGKILL')
  throw error
})
watched.stop()
const { stalls, waits, rss } = watched.seen
clearInterval(progress)
isOver = true
service.child.kill('SIGTERM')
await new Promise((resolve) => service.child.once('exit', resolve))
rmSync(folder, { recursive: true, force: true })

const mb = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
const statuses = [...counts].toSorted().map(([status, count]) => `${status}: ${count}`)
for (const fault of [...faults].slice(0, 50)) process.stdout.write(`FAULT ${fault}\n`)
for (const { late, own, during } of stalls.slice(0, 50)) {
  process.stdout.write(`STALL ${late} ms, ${own} ms of it its own, during ${during}\n`)
}
process.stdout.write(
  `${sent} sent (${statuses.join(', ')}), ${faults.size} faults, ${stalls.length} stalls over 200 ms (${waits} more because others had the cores), memory ${mb(before)} before and ${mb(rss)} after\n`,
)
process.exitCode = faults.size + stalls.length === 0 ? 0 : 1
