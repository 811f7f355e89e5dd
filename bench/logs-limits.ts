import type { Day } from './logs-day.ts'
import type { Fairness } from './logs-people.ts'
import { QUESTIONS, type Question, type Times } from './logs-questions.ts'
import type { Pace } from './pace.ts'

/** One size, measured in one run. */
export type Measured = {
  events: number
  date: string
  machine: string
  /** The service over HTTP, the same store inside a process, DuckDB alone on the same files, … */
  engines: { name: string; events: number; times: Times }[]
  /** What the client of the questions used of the processor for one, in milliseconds. */
  clientMs: number
  people: Fairness
  /** Of the machine meanwhile, in milliseconds. */
  pace?: Pace
  bytesPerEvent: number
} & Day

export const SERVICE = 'Manara over HTTP'
export const IN_PROCESS = 'Manara in the process'
export const RAW = 'raw DuckDB'

const SMALL = 5_000_000
const QUICK = 10
const LIMITS: Record<Question, (events: number) => number | undefined> = {
  rows: () => 20,
  total: () => undefined,
  histogram: () => QUICK,
  sources: () => QUICK,
  severities: () => QUICK,
  word: rareLimit,
  address: rareLimit,
  hash: rareLimit,
}

function rareLimit(events: number) {
  return events <= SMALL ? 40 : 150
}

/** In milliseconds; the total of a text has none, since nobody waits for it. */
export const limitOf = (question: Question, events: number) => LIMITS[question](events)

export type Check = { what: string; value: string; limit: string; isReached: boolean }

/** Every limit, and whether it was reached. */
export function checksOf(measured: Measured): Check[] {
  const { events, start, ingest, people } = measured
  const times = measured.engines.find(({ name }) => name === SERVICE)?.times ?? {}
  const questions = Object.entries(QUESTIONS).flatMap(([question, what]) => {
    const limit = limitOf(question as Question, events)
    const ms = times[question as Question]
    return limit === undefined || ms === undefined ? [] : [atMost(what, ms, limit, 'ms')]
  })
  return [
    ...questions,
    atMost(`start and first search, ${million(start.events)} of a day`, start.seconds, 3, 's'),
    atMost('its memory at most', start.megabytes, 500, 'MB'),
    atLeast('ingest over HTTP, starter rules on', ingest.perSecond, 40_000, 'events/s'),
    atMost('its cost in the service', ingest.serviceMicros, 45, 'µs an event'),
    atMost('its acknowledgement, p99', ingest.ackP99, 500, 'ms'),
    atMost(
      'delay of light questions by heavy ones, 100 people, p99',
      Math.max(0, people.besideP99 - people.aloneP99),
      100,
      'ms',
    ),
    atMost(
      'the same beside heavy ones of all kinds',
      Math.max(0, (people.mixedP99 ?? people.besideP99) - people.aloneP99),
      100,
      'ms',
    ),
    atMost('on disk', measured.bytesPerEvent, 200, 'bytes an event'),
  ]
}

const atMost = (what: string, value: number, limit: number, unit: string): Check => ({
  what,
  value: `${figure(value)} ${unit}`,
  limit: `≤ ${figure(limit)}`,
  isReached: value <= limit,
})

const atLeast = (what: string, value: number, limit: number, unit: string): Check => ({
  what,
  value: `${figure(value)} ${unit}`,
  limit: `≥ ${figure(limit)}`,
  isReached: value >= limit,
})

export const figure = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })

export const million = (events: number) => `${(events / 1e6).toLocaleString('en')} M`
