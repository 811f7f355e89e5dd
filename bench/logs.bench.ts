import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checksOf, figure, limitOf, type Measured, million } from './logs-limits.ts'
import { measureSize } from './logs-measure.ts'
import { QUESTIONS, type Question } from './logs-questions.ts'
import { writeReport } from './logs-report.ts'

export const name = 'soc logs'

const GROWTH = [500_000, 1_000_000, 5_000_000, 20_000_000]
const EVENTS = Number(process.env.BENCH_EVENTS ?? 5_000_000)

/**
 * `npm run bench logs`: BENCH_EVENTS says how many (5 million), BENCH_DATA where the stores stay for
 * another run. `npm run bench -- logs --growth` measures four sizes, `--write` puts what was measured
 * into docs/benchmarks.md.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  const isGrowth = process.argv.includes('--growth')
  const kept = process.env.BENCH_DATA
  const base = kept ?? mkdtempSync(path.join(tmpdir(), 'soc-logs-bench-'))
  let isReached = true
  try {
    for (const events of isGrowth ? GROWTH : [EVENTS]) {
      const measured = await measureSize(events, base, print)
      tell(measured, print)
      if (process.argv.includes('--write')) writeReport(measured)
      isReached &&= checksOf(measured).every((check) => check.isReached)
    }
  } finally {
    if (kept === undefined) rmSync(base, { recursive: true, force: true })
  }
  return isReached
}

function tell(measured: Measured, print: (line: string) => void) {
  const { events, engines, ingest, people } = measured
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
  print(`service while ingesting: at most ${figure(ingest.megabytes)} MB`)
  for (const { what, value, limit, isReached } of checksOf(measured)) {
    print(`${isReached ? 'reached' : 'MISSED '}  ${what}: ${value} (${limit})`)
  }
}
