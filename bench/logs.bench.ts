import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Print } from './logs-build.ts'
import { buildDay, measureDay } from './logs-day.ts'
import { checksOf, figure, limitOf, type Measured, million } from './logs-limits.ts'
import { buildStores, measureSize, type Stores } from './logs-measure.ts'
import { QUESTIONS, type Question } from './logs-questions.ts'
import { writeReport } from './logs-report.ts'

export const name = 'soc logs'

const GROWTH = [500_000, 1_000_000, 5_000_000, 20_000_000]
const EVENTS = Number(process.env.BENCH_EVENTS ?? 5_000_000)

/**
 * `npm run bench logs`: BENCH_EVENTS says how many (5 million), BENCH_DATA where all stores, also those
 * of the peers, stay for another run; BENCH_POSTGRES_EVENTS and BENCH_CLICKHOUSE_EVENTS are the most
 * that these get. `npm run bench -- logs --growth` measures four sizes, `--write`
 * puts what was measured into docs/benchmarks.md, `--build` only builds the stores that are missing.
 */
export async function run(print: Print): Promise<boolean> {
  const sizes = process.argv.includes('--growth') ? GROWTH : [EVENTS]
  const kept = process.env.BENCH_DATA
  const base = kept ?? mkdtempSync(path.join(tmpdir(), 'soc-logs-bench-'))
  try {
    return await measureSizes(sizes, base, print)
  } finally {
    if (kept === undefined) rmSync(base, { recursive: true, force: true })
  }
}

/** Everything is built before anything is measured. */
async function measureSizes(sizes: number[], base: string, print: Print): Promise<boolean> {
  const built = await buildDay(base, Math.max(...sizes), print)
  const stores: Stores[] = []
  for (const events of sizes) stores.push(await buildStores(base, events, print))
  if (process.argv.includes('--build')) return true

  const day = await measureDay(base, built, print)
  let isReached = true
  for (const one of stores) {
    const measured = await measureSize(one, day, print)
    tell(measured, print)
    if (process.argv.includes('--write')) writeReport(measured)
    isReached &&= checksOf(measured).every((check) => check.isReached)
  }
  return isReached
}

function tell(measured: Measured, print: Print) {
  const { events, engines, ingest, people, pace } = measured
  print(`${million(events)} events of 30 days in daily files; ${measured.machine}`)
  for (const [question, what] of Object.entries(QUESTIONS)) {
    const times = engines.map(
      ({ name, events: own, times }) =>
        `${name}${own === events ? '' : ` (${million(own)})`} ${figure(times[question as Question] ?? 0)}`,
    )
    const limit = limitOf(question as Question, events)
    print(`${what}, ms${limit ? ` (limit ${limit})` : ''}: ${times.join(', ')}`)
  }
  print(
    `client: ${figure(measured.clientMs)} ms of the processor a question, ${figure(ingest.clientMicros)} µs an event sent`,
  )
  print(
    `100 people, light questions: ${figure(people.alone)} ms alone and ${figure(people.beside)} beside heavy ones; p99 ${figure(people.aloneP99)} and ${figure(people.besideP99)}`,
  )
  print(
    `beside exports, lists of fields, frequent values and searches in vain: p99 ${figure(people.mixedP99 ?? 0)}, exports got ${figure(people.exportedMb ?? 0)} MB`,
  )
  for (const [when, found] of Object.entries({ questions: pace, sending: ingest.pace })) {
    if (found)
      print(
        `pace of the machine beside ${when}: ${figure(found.least)} to ${figure(found.most)} ms`,
      )
  }
  print(`service while ingesting: at most ${figure(ingest.megabytes)} MB`)
  for (const { what, value, limit, isReached } of checksOf(measured)) {
    print(`${isReached ? 'reached' : 'MISSED '}  ${what}: ${value} (${limit})`)
  }
}
