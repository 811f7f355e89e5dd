import { CATALOGUE } from '../apps/soc/src/features/siem/normalise/catalogue/catalogue.ts'
import type { Incoming } from '../apps/soc/src/features/siem/normalise/normalise.ts'
import { normalise } from '../apps/soc/src/features/siem/normalise/normalise.ts'
import { createRecogniser } from '../apps/soc/src/features/siem/normalise/recognise.ts'

import { measureOverHttp } from './formats-http.ts'

export const name = 'soc log formats'

/** With more formats an event may take no longer; a busy machine gets some room. */
const LIMIT = 1.1
const ROUNDS = 15
const EVENTS = 20_000
/** What was read before there was a catalogue. */
const FIRST = new Set([
  ...['generic.cef', 'generic.leef', 'generic.key_value', 'linux.auth', 'web.access'],
  ...['windows.event', 'suricata.eve', 'zeek.json'],
])

/** The same events read with the whole catalogue and with the first formats, turn and turn about. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const few = CATALOGUE.filter(({ id }) => FIRST.has(id))
  const recognisers = { few: createRecogniser(few), all: createRecogniser(CATALOGUE) }
  const samples = few.flatMap(({ samples: of }) => of.map(incomingOf))
  const events = Array.from({ length: EVENTS }, (_, index) => samples[index % samples.length] ?? {})
  const best = { few: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const which of ['few', 'all'] as const) {
      best[which] = Math.min(best[which], timeOf(events, recognisers[which]))
    }
  }
  const [before, now] = [best.few / EVENTS, best.all / EVENTS]
  print(`with ${few.length} formats: ${before.toFixed(2)} µs an event`)
  print(`with ${CATALOGUE.length} formats: ${now.toFixed(2)} µs an event`)
  print(`${(now / before).toFixed(2)} times as long (limit ${LIMIT})`)
  const overHttp = await measureOverHttp(
    few.flatMap(({ samples: of }) => of.map(documentOf)),
    [...FIRST],
  )
  const share = overHttp.all / overHttp.few
  print(`over HTTP, until it is stored, with ${few.length}: ${overHttp.few.toFixed(1)} µs an event`)
  print(`over HTTP with ${CATALOGUE.length}: ${overHttp.all.toFixed(1)} µs an event`)
  print(`${share.toFixed(2)} times as long (limit ${LIMIT})`)
  return now / before <= LIMIT && share <= LIMIT
}

/** As an HTTP sender has it; without an id, by which it would be taken for the same again. */
function documentOf({ event, program }: { event: string | object; program?: string }): object {
  if (typeof event === 'string') return { message: event, ...(program ? { process: program } : {}) }
  const { id: _, ...document } = event as Record<string, unknown>
  return document
}

function incomingOf({ event, program }: { event: string | object; program?: string }): Incoming {
  if (typeof event === 'object') return { object: event as Record<string, unknown> }
  return { text: event, ...(program ? { known: { process: program } } : {}) }
}

/** Microseconds of the processor, so that others on this machine count less. */
function timeOf(events: Incoming[], recogniser: ReturnType<typeof createRecogniser>): number {
  const arrival = { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id', recogniser }
  const begun = process.cpuUsage()
  for (const event of events) normalise(event, arrival)
  const { user, system } = process.cpuUsage(begun)
  return user + system
}
