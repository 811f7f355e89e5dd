import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openDuckdbLogs } from '../apps/soc/src/adapters/duckdb-logs.ts'
import type { StoredLog } from '../apps/soc/src/ports/log-store.ts'
import { createEvents } from './logs-events.ts'
import { createProgress } from './logs-progress.ts'

export type Print = (line: string) => void

/** A directory with the events of some days up to `end`, in whatever engine. */
export type Built = { directory: string; events: number; days: number; end: number }

type Wanted = { directory: string; events: number; days: number }

/** What was built to its end is used again: with BENCH_DATA it is still there in the next run. */
export async function buildOnce(
  { directory, events, days }: Wanted,
  print: Print,
  fill: (built: Built) => Promise<void>,
): Promise<Built> {
  const note = path.join(directory, 'built.json')
  if (existsSync(note)) {
    print(`${directory} is used again`)
    return { ...JSON.parse(readFileSync(note, 'utf8')), directory }
  }
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const built = { directory, events, days, end: Date.now() }
  await fill(built)
  writeFileSync(note, JSON.stringify(built))
  return built
}

/** All events in batches, in the order they came; the next is made while the last are stored. */
export async function sendEvents(
  { events, days, end }: Built,
  { batch, ahead, what, print }: { batch: number; ahead: number; what: string; print: Print },
  store: (logs: StoredLog[]) => Promise<unknown>,
) {
  const next = createEvents({ count: events, end, days, seed: 1 })
  const tell = createProgress(print, `${what}: ${events.toLocaleString('en')} events`, events)
  const waiting: Promise<unknown>[] = []
  for (let done = 0; done < events; done += batch) {
    waiting.push(store(next.take(batch)))
    if (waiting.length > ahead) await waiting.shift()
    tell(Math.min(events, done + batch))
  }
  await Promise.all(waiting)
}

/** Our own store, a file a day, through its port inside this process. */
export const buildStore = (base: string, events: number, days: number, print: Print) =>
  buildOnce(
    { directory: path.join(base, `${events}-events-${days}-days`), events, days },
    print,
    async (built) => {
      const directory = path.join(built.directory, 'logs')
      const store = openDuckdbLogs({ directory, log: console })
      const sending = { batch: 5_000, ahead: 4, what: 'Manara', print }
      await sendEvents(built, sending, (logs) => store.append(logs))
      await store.close()
    },
  )
