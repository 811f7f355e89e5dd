import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openDuckdbLogs } from '../apps/soc/src/adapters/duckdb-logs.ts'
import { createEvents } from './logs-events.ts'
import { createProgress } from './logs-progress.ts'

const BATCH = 5_000
/** So many batches wait: the next events are made while the last are stored. */
const AHEAD = 4

export type Built = { directory: string; events: number; days: number; end: number }

/**
 * A data directory with the events of some days in the order they came, a file a day, through the
 * port of the store inside this process. With BENCH_DATA it stays there and is used again.
 */
export async function buildStore(
  base: string,
  events: number,
  days: number,
  print: (line: string) => void,
): Promise<Built> {
  const directory = path.join(base, `${events}-events-${days}-days`)
  const note = path.join(directory, 'built.json')
  if (existsSync(note)) {
    print(`${directory} is used again`)
    return JSON.parse(readFileSync(note, 'utf8'))
  }
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const built: Built = { directory, events, days, end: Date.now() }
  await fill(built, print)
  writeFileSync(note, JSON.stringify(built))
  return built
}

async function fill({ directory, events, days, end }: Built, print: (line: string) => void) {
  const store = openDuckdbLogs({ directory: path.join(directory, 'logs'), log: console })
  const next = createEvents({ count: events, end, days, seed: 1 })
  const tell = createProgress(print, `storing ${events.toLocaleString('en')} events`, events)
  const waiting: Promise<unknown>[] = []
  for (let done = 0; done < events; done += BATCH) {
    waiting.push(store.append(next.take(BATCH)))
    if (waiting.length > AHEAD) await waiting.shift()
    tell(Math.min(events, done + BATCH))
  }
  await Promise.all(waiting)
  await store.close()
}
