import { NO_BASELINE } from '../apps/soc/src/features/agents/domain/investigation/baseline.ts'
import { draftOf } from '../apps/soc/src/features/agents/domain/investigation/draft.ts'
import { investigate } from '../apps/soc/src/features/agents/domain/investigation/investigate.ts'
import {
  asLog,
  hostEvents,
  MADE,
} from '../apps/soc/src/features/agents/domain/investigation/testing/made-recordings.ts'

export const name = 'an investigation over 20,000 events'

const EVENTS = 20_000
const LIMIT_S = 1
const ROUNDS = 5

/** Seconds of the processor, so that a busy machine says the same as an idle one. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const busy = Array.from({ length: 20 }, (_, n) => hostEvents(`SRV-${n}`, n))
  const attack = MADE.flatMap(({ events }) => events)
  for (const host of busy) {
    host.noise(300)
    for (let n = 0; n < 150; n += 1) {
      host.start(['services.exe', 600], [`tool${n}.exe`, 5_000 + n], 'SYSTEM', `tool${n} /scan`)
      host.connect([`tool${n}.exe`, 5_000 + n], 'SYSTEM', '10.1.0.1', `10.2.0.${n}`, 443)
    }
    host.noise((EVENTS / 20 - 900) / 2)
  }
  const raws = [...busy.flatMap(({ events }) => events), ...attack]
  const logs = raws.map(asLog)
  const knowledge = { hits: [], baseline: NO_BASELINE, successors: {} }
  const seconds: number[] = []
  let told = ''
  let isEqual = true
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    const answer = JSON.stringify(
      draftOf(investigate(logs, undefined, knowledge), false, () => undefined),
    )
    const { user, system } = process.cpuUsage(before)
    seconds.push((user + system) / 1e6)
    isEqual &&= told === '' || told === answer
    told = answer
  }
  const median = seconds.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.POSITIVE_INFINITY
  print(`${logs.length} events: ${median.toFixed(2)} s of ${LIMIT_S} s, answers equal: ${isEqual}`)
  return median <= LIMIT_S && isEqual
}
