import http from 'node:http'
import type { Target } from './load.ts'
import { createEvents } from './logs-events.ts'
import { createProgress } from './logs-progress.ts'
import { cpuByThread, cpuOf, memoryOf } from './logs-service.ts'
import type { SocService } from './soc-service.ts'

const BATCH = 1_000
const CALLERS = 16
/** Bodies are made before they are sent, so many at a time. */
const BODIES = 100

export type Ingest = {
  perSecond: number
  serviceMicros: number
  clientMicros: number
  ackP99: number
  megabytes: number
}

/** Over HTTP, durable, with the starter rules; making the events is not counted. */
export async function measureIngest(
  soc: SocService,
  count: number,
  print: (line: string) => void,
): Promise<Ingest> {
  const events = createEvents({ count, end: Date.now(), days: 1, seed: Date.now() })
  const tell = createProgress(print, `sending ${count.toLocaleString('en')} events`, count)
  const agent = new http.Agent({ keepAlive: true, maxSockets: CALLERS })
  const acks: number[] = []
  const used = { ms: 0, service: 0, client: 0 }
  const before = cpuByThread(soc)
  for (let done = 0; done < count; done += BODIES * BATCH) {
    const bodies = bodiesOf(events, Math.min(BODIES * BATCH, count - done))
    const [began, service, client] = [performance.now(), cpuOf(soc), process.cpuUsage()]
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        for (let body = bodies.pop(); body; body = bodies.pop()) {
          acks.push(await post(soc, agent, body))
        }
      }),
    )
    used.ms += performance.now() - began
    used.service += cpuOf(soc) - service
    const { user, system } = process.cpuUsage(client)
    used.client += user + system
    tell(Math.min(count, done + BODIES * BATCH))
  }
  agent.destroy()
  print(threadLine(before, cpuByThread(soc), count))
  acks.sort((a, b) => a - b)
  return {
    perSecond: (count / used.ms) * 1_000,
    serviceMicros: used.service / count,
    clientMicros: used.client / count,
    ackP99: acks[Math.floor((acks.length - 1) * 0.99)] ?? 0,
    megabytes: memoryOf(soc).most,
  }
}

/** What each thread took, with what it did while bodies were made. */
function threadLine(before: Map<string, number>, after: Map<string, number>, count: number) {
  const threads = [...after]
    .map(([name, micros]) => ({ name, each: (micros - (before.get(name) ?? 0)) / count }))
    .filter(({ each }) => each >= 0.1)
    .toSorted((a, b) => b.each - a.each)
  return `µs an event: ${threads.map(({ name, each }) => `${name} ${each.toFixed(1)}`).join(', ')}`
}

function bodiesOf(events: ReturnType<typeof createEvents>, count: number): Buffer[] {
  const bodies: Buffer[] = []
  for (let left = count; left > 0; left -= BATCH) {
    const lines = events
      .take(Math.min(left, BATCH))
      .map(({ at, received_at, original, ...log }) =>
        JSON.stringify({ ...log, timestamp: new Date(at).toISOString() }),
      )
    bodies.push(Buffer.from(lines.join('\n')))
  }
  return bodies
}

/** Milliseconds until it was acknowledged. `fetch` would take as much of the processor as the service. */
function post({ address, headers }: Target, agent: http.Agent, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const request = http.request(
      `${address}/siem/logs`,
      {
        agent,
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/x-ndjson',
          'content-length': body.length,
        },
      },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        reply.on('end', () => {
          if (reply.statusCode === 200 || reply.statusCode === 202)
            resolve(performance.now() - began)
          else reject(new Error(`POST /siem/logs: ${reply.statusCode} ${text}`))
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
