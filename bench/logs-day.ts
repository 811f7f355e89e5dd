import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Built, buildStore, type Print } from './logs-build.ts'
import { type Ingest, measureIngest } from './logs-ingest.ts'
import { median } from './logs-questions.ts'
import { restOf, startAndSearch } from './logs-service.ts'
import { createPace, type Pace } from './pace.ts'
import { stopSoc } from './soc-service.ts'

/** A store that has all its events of one day: the ids of all of them are recent. */
export type Day = {
  start: { events: number; seconds: number; megabytes: number }
  ingest: Ingest & { events: number; pace?: Pace }
}

const MOST_OF_A_DAY = 10_000_000
const ENOUGH_FOR_MOST = 5_000_000
const STARTS = 3

/** Ten million, unless only smaller stores are looked at. */
export const buildDay = (base: string, largest: number, print: Print) =>
  buildStore(base, largest < ENOUGH_FOR_MOST ? largest : MOST_OF_A_DAY, 1, print)

export async function measureDay(base: string, day: Built, print: Print): Promise<Day> {
  return { start: await measureStarts(day, print), ingest: await measureSending(base, day, print) }
}

/** The first, which is not counted, makes the database of everything else. */
async function measureStarts({ directory, events, end }: Built, print: Print) {
  const starts = []
  for (let turn = 0; turn <= STARTS; turn++) {
    print(turn === 0 ? '… a first start' : `… start ${turn} of ${STARTS}`)
    const { soc, seconds, megabytes } = await startAndSearch(directory, end)
    if (turn === 0) await restOf(soc)
    else starts.push({ seconds, megabytes })
    await stopSoc(soc)
  }
  return {
    events,
    seconds: median(starts.map(({ seconds }) => seconds)),
    megabytes: Math.max(...starts.map(({ megabytes }) => megabytes)),
  }
}

/** To a copy, so that the next run finds the store as it was built. */
async function measureSending(base: string, { directory, end }: Built, print: Print) {
  const events = Number(process.env.BENCH_INGEST ?? 600_000)
  const copy = path.join(base, 'sent-to')
  rmSync(copy, { recursive: true, force: true })
  cpSync(path.join(directory, 'logs'), path.join(copy, 'logs'), { recursive: true })
  try {
    const { soc } = await startAndSearch(copy, end)
    await restOf(soc)
    const pace = createPace()
    pace.look()
    const ingest = await measureIngest(soc, events, print)
    pace.look()
    await stopSoc(soc)
    return { ...ingest, events, pace: pace.found() }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
