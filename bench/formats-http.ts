import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cpuOf } from './logs-service.ts'
import { type SocService, startSoc, stopSoc } from './soc-service.ts'

const BATCH = 500
const EVENTS = 30_000
const CALLERS = 4
const ROUNDS = 2
const HOOK = new URL('./few-formats.ts', import.meta.url).href

/** Microseconds of the service's processor for an event over HTTP, until it is on disk. */
export async function measureOverHttp(events: object[], few: string[]) {
  const best = { few: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const which of ['few', 'all'] as const) {
      const only = { BENCH_FORMATS: few.join(','), NODE_OPTIONS: `--import ${HOOK}` }
      const micros = await measureOnce(events, which === 'few' ? only : {})
      best[which] = Math.min(best[which], micros)
    }
  }
  return best
}

async function measureOnce(events: object[], settings: Record<string, string>): Promise<number> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-formats-'))
  const soc = await startSoc(directory, settings)
  try {
    await send(soc, bodiesOf(events, EVENTS / 5))
    const bodies = bodiesOf(events, EVENTS)
    const begun = cpuOf(soc)
    await send(soc, bodies)
    return (cpuOf(soc) - begun) / EVENTS
  } finally {
    await stopSoc(soc)
    rmSync(directory, { recursive: true, force: true })
  }
}

function bodiesOf(events: object[], count: number): string[] {
  const lines = events.map((event) => JSON.stringify(event))
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, body) =>
    Array.from({ length: BATCH }, (_, at) => lines[(body * BATCH + at) % lines.length]).join('\n'),
  )
}

async function send({ address, headers }: SocService, bodies: string[]) {
  const left = [...bodies]
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let body = left.pop(); body; body = left.pop()) {
        const reply = await fetch(`${address}/siem/logs`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/x-ndjson' },
          body,
        })
        const { accepted } = (await reply.json()) as { accepted: number }
        if (accepted !== BATCH) throw new Error(`${accepted} of ${BATCH} events were taken`)
      }
    }),
  )
}
