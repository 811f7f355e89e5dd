import type { SiemStats } from '@manara/soc-contract/siem-ingest'
import type { LogStore } from '../../ports/log-store.ts'
import { CHART_MINUTES, type Counters, type SourceTally, type Tally } from './ingest/counters.ts'
import type { Pipeline } from './ingest/pipeline.ts'
import type { Senders, SenderTally } from './ingest/senders.ts'

const MINUTE_MS = 60_000
const RATE_MINUTES = 5

export type StatsDeps = {
  logs: Pick<LogStore, 'engine' | 'stats'>
  counters: Counters
  pipeline: Pick<Pipeline, 'depth'>
  senders: Pick<Senders, 'list'>
  now(): number
  since: number
}

/** What the store holds, and what this process has taken in since it began. */
export async function readStats(deps: StatsDeps): Promise<SiemStats> {
  const { counters } = deps
  const stored = await deps.logs.stats()
  const minute = Math.floor(deps.now() / MINUTE_MS)
  return {
    engine: deps.logs.engine,
    events: stored.events,
    bytes: stored.bytes,
    oldest_at: moment(stored.oldestAt),
    since: new Date(deps.since).toISOString(),
    totals: sum([...counters.ways.values()]),
    queue: deps.pipeline.depth(),
    ways: [...counters.ways].map(([way, tally]) => ({
      way,
      ...tally,
      refused_by_reason: Object.fromEntries(counters.refusals.get(way) ?? []),
    })),
    senders: deps.senders.list().sort(byTrouble).slice(0, MOST_SENDERS).map(describeSender),
    sources: [...counters.sources]
      .map(([source, tally]) => ({ source, ...describe(tally, minute) }))
      .sort((one, other) => other.stored - one.stored),
  }
}

function describe({ lastEventAt, lastReceivedAt, minutes, ...tally }: SourceTally, now: number) {
  const perMinute = Array.from(
    { length: CHART_MINUTES },
    (_, index) => minutes.get(now - CHART_MINUTES + 1 + index) ?? 0,
  )
  const recent = perMinute.slice(-RATE_MINUTES).reduce((total, count) => total + count, 0)
  return {
    ...tally,
    last_event_at: moment(lastEventAt),
    last_received_at: moment(lastReceivedAt),
    events_per_minute: recent / RATE_MINUTES,
    per_minute: perMinute,
  }
}

const MOST_SENDERS = 50

const byTrouble = (one: SenderTally, other: SenderTally) =>
  other.unread + other.refused - (one.unread + one.refused) || other.events - one.events

const describeSender = ({ lastAt, slowedUntil, ...tally }: SenderTally) => ({
  ...tally,
  last_at: new Date(lastAt).toISOString(),
  slowed_until: moment(slowedUntil ?? null),
})

const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const sum = (tallies: Tally[]): Tally =>
  tallies.reduce(
    (total, { received, stored, duplicates, refused }) => ({
      received: total.received + received,
      stored: total.stored + stored,
      duplicates: total.duplicates + duplicates,
      refused: total.refused + refused,
    }),
    { received: 0, stored: 0, duplicates: 0, refused: 0 },
  )
