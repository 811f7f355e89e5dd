import { setTimeout as pause } from 'node:timers/promises'
import type { SocClient } from '../../apps/soc/src/simulated-devices/soc-client.ts'
import { FORMATS, sampleEvents, stretchedEvents } from './format-events.ts'
import { fuzzDevices } from './fuzz-devices.ts'
import { fuzzRoutes } from './fuzz-routes.ts'
import { type Hostile, hostileBodies, hostileImports, hostileQueries } from './hostile.ts'
import { leaveEarly } from './leave-early.ts'
import { type Certificate, fuzzConnections, fuzzSyslog, type Ports } from './raw-streams.ts'
import { inParallel, inParallelByKind, type Sender, shuffled } from './sender.ts'

/** Of the time of a burst, each phase has a share; what it does not use the next ones have. */
const SHARES = {
  ...{ formats: 3, leaving: 2, queries: 1, bodies: 3, imports: 4, syslog: 1, devices: 1 },
  routes: 4,
}
type Phase = keyof typeof SHARES

type BurstDeps = {
  sender: Sender
  ports: Ports
  /** Of a sender of syslog over TLS. */
  certificate: Certificate
  soc: SocClient
  /** The headers of a session of one's own. */
  signIn(): Promise<Record<string, string>>
  onPhase(name: string): void
}

/** One pass over every parser, query, way in, import and route, over at a given time. */
export function createBurst({ sender, ports, signIn, onPhase, ...deps }: BurstDeps) {
  const all: Record<Phase, (ends: number) => Promise<void>> = {
    formats,
    leaving: (ends) => leaveEarly(sender, ends),
    queries: (ends) =>
      inParallel(hostileQueries(), ends, async (q) => {
        await sender.ask('GET', `/api/v1/siem/logs?q=${encodeURIComponent(q)}`)
        await sender.ask('GET', `/api/v1/siem/histogram?q=${encodeURIComponent(q)}`)
        sender.reach('query', q.slice(0, 8))
      }),
    bodies: (ends) => bodies('way in', hostileBodies(), ends),
    imports: (ends) => bodies('import', hostileImports(), ends),
    syslog,
    devices: () => fuzzDevices(sender, deps.soc, ports.mqtt),
    routes: (ends) => fuzzRoutes(sender, ends, signIn),
  }

  async function formats(ends: number) {
    for (const id of FORMATS) sender.reach('parser', id, 0)
    const send = (events: object[]) =>
      sender.ask('POST', '/api/v1/siem/logs', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(events),
      })
    // All of them as they are, whatever the time: a parser that never reads was not tried.
    await send(FORMATS.flatMap(sampleEvents))
    await inParallel(shuffled(FORMATS), ends, (id) => send(stretchedEvents(id)))
    // What was read says by which parser: sending alone would prove nothing.
    const reply = await sender.send('GET', '/api/v1/siem/fields/_parser/values?limit=100')
    const { items } = (await reply.json()) as { items: { value: string; count: number }[] }
    for (const { value, count } of items) sender.reach('parser', value, count)
  }

  async function bodies(what: string, hostile: Hostile[], ends: number) {
    for (const { kind } of hostile) sender.reach(what, kind, 0)
    await inParallelByKind(shuffled(hostile), ends, async (one) => {
      const { kind, url, type, body, encoding } = one
      const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
      const sent = typeof body === 'string' ? body : new Uint8Array(body)
      await sender.ask('POST', url, { headers, body: sent })
      sender.reach(what, kind)
    })
  }

  async function syslog() {
    await fuzzSyslog(sender, ports, deps.certificate)
    await fuzzConnections(sender, ports)
    await pause(2_000)
    await sender.ask('GET', '/health')
  }

  return async function burst(ends: number): Promise<void> {
    let left = Object.values(SHARES).reduce((sum, share) => sum + share, 0)
    for (const [phase, share] of Object.entries(SHARES) as [Phase, number][]) {
      onPhase(phase)
      await all[phase](Date.now() + ((ends - Date.now()) * share) / left)
      left -= share
    }
  }
}
