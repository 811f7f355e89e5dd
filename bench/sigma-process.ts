import { openSync, readSync } from 'node:fs'
import type { LogLines } from '../apps/soc/src/core/arrivals/log-lines.ts'
import { startMatcherThread } from '../apps/soc/src/features/detections/stream/matcher.ts'
import type { MatchRule } from '../apps/soc/src/features/detections/stream/rule-set.ts'

/**
 * `node sigma-process.ts RULES EVENTS` is a process that has only what the service has for its
 * rules: the rules as they are stored, given to the thread that matches, and one batch of events
 * after the other. It prints what it measured as JSON.
 */
export type Measured = {
  rulesMb: number
  mostMb: number
  /** Of the best round over all batches. */
  cpuS: number
  hits: number
}

const ROUNDS = 3

const room = Buffer.alloc(16_000_000)
const [rulesFile = '', batchesFile = ''] = process.argv.slice(2)
const thread = startMatcherThread()

for (const part of parts(rulesFile)) {
  const lines = Buffer.from(part).toString().trimEnd().split('\n')
  const rules: MatchRule[] = lines.map((line) => JSON.parse(line))
  await thread.call('set', [rules, Date.now()])
}
const rulesMb = megabytes()

let mostMb = rulesMb
let best = { cpuS: Number.POSITIVE_INFINITY, hits: 0 }
for (let round = 0; round < ROUNDS; round += 1) {
  let cpuS = 0
  let hits = 0
  for (const batch of parts(batchesFile)) {
    const before = process.cpuUsage()
    const { found } = await thread.call('match', [batch])
    const { user, system } = process.cpuUsage(before)
    cpuS += (user + system) / 1e6
    hits += found.reduce((sum, { logs }) => sum + logs.length, 0)
    mostMb = Math.max(mostMb, megabytes())
  }
  if (cpuS < best.cpuS) best = { cpuS, hits }
}
const measured: Measured = { rulesMb, mostMb, ...best }
process.stdout.write(JSON.stringify(measured))
process.exit()

/** One after the other, each with its length before it: what is read ahead would count as memory. */
function* parts(file: string): Generator<LogLines> {
  const from = openSync(file, 'r')
  while (readSync(from, room, 0, 4, null) === 4) {
    const length = room.readUInt32LE()
    readSync(from, room, 0, length, null)
    yield new Uint8Array(room.subarray(0, length))
  }
}

function megabytes() {
  return Math.round(process.memoryUsage.rss() / 1e6)
}
