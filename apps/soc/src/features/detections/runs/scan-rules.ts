import { startTurns } from '@manara/kit/turns'
import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { LogSelection, LogStore, StoredLog, TimeRange } from '../../../ports/log-store.ts'
import { createDetector, type Hit, lookBackMs } from '../domain/evaluate.ts'
import { compileRules, type Matched } from './compile-rules.ts'

export type Watched = {
  rule: DetectionRule
  queries: Query[]
  /** By the time of the event. */
  time: TimeRange
  /** By the time of arrival. */
  received: TimeRange
}

type Logs = Pick<LogStore, 'scan'>

/** Takes hits as they are found; the scan goes on when it resolves. */
export type Sink = (watched: Watched, hits: Hit<StoredLog>[]) => Promise<void>

/**
 * All rules in one scan of the logs, never one query a rule. Rules about single events find their
 * hits at once; those about several note when something concerns them, and share a second scan
 * over that stretch of time and a look back. Resolves to how many events were read.
 */
export async function scanRules(logs: Logs, rules: Watched[], sink: Sink): Promise<number> {
  const alone = new Map(
    rules
      .filter(({ rule }) => lookBackMs(rule) === 0)
      .map((watched) => [watched, createDetector(watched.rule)]),
  )
  const stretches = new Map<Watched, Stretch>()
  const scanned = await scan(logs, rules, unionOf(rules), sink, (watched, log, steps) => {
    if (!isWithin(watched.time, log.at)) return undefined
    if (!isWithin(watched.received, log.received_at)) return undefined
    const detector = alone.get(watched)
    if (detector) return detector.feed(log, steps)
    const { first = log.at, last = log.at } = stretches.get(watched) ?? {}
    stretches.set(watched, { first: Math.min(first, log.at), last: Math.max(last, log.at) })
    return undefined
  })
  return scanned + (await scanWindows(logs, stretches, sink))
}

/** The first and the last event that concerns a rule. */
type Stretch = { first: number; last: number }

/** Hits before the stretch are not of this run: nothing that concerns it could have made them. */
async function scanWindows(
  logs: Logs,
  stretches: Map<Watched, Stretch>,
  sink: Sink,
): Promise<number> {
  if (stretches.size === 0) return 0
  const states = new Map(
    [...stretches].map(([watched, { first, last }]) => {
      const lookBack = lookBackMs(watched.rule)
      const time = { from: first - lookBack, to: watched.time.to ?? last + lookBack + 1 }
      return [watched, { first, time, detector: createDetector(watched.rule) }]
    }),
  )
  const time = union([...states.values()].map((state) => state.time))
  return scan(logs, [...states.keys()], { time }, sink, (watched, log, steps) => {
    const state = states.get(watched)
    if (!state || !isWithin(state.time, log.at)) return undefined
    const hit = state.detector.feed(log, steps)
    return hit && log.at >= state.first ? hit : undefined
  })
}

type Judge = (watched: Watched, log: StoredLog, steps: number[]) => Hit<StoredLog> | undefined

/** What is handed to the sink at once: a transaction's worth. */
const MOST_AT_ONCE = 1_000

async function scan(
  logs: Logs,
  rules: Watched[],
  window: Pick<LogSelection, 'time' | 'received'>,
  sink: Sink,
  judge: Judge,
): Promise<number> {
  const match = await compileRules(rules)
  const turn = startTurns()
  const found = new Map<Watched, Hit<StoredLog>[]>()
  let waiting = 0
  let scanned = 0

  async function hand() {
    for (const [watched, hits] of found) await sink(watched, hits)
    found.clear()
    waiting = 0
  }
  function keep({ watched, steps }: Matched<Watched>, log: StoredLog) {
    const hit = judge(watched, log, steps)
    if (!hit) return
    const hits = found.get(watched)
    if (hits) hits.push(hit)
    else found.set(watched, [hit])
    waiting += 1
  }

  for await (const batch of logs.scan({ query: prefilter(rules), ...window })) {
    scanned += batch.length
    for (const log of batch) {
      for (const matched of match(log)) keep(matched, log)
      if (waiting >= MOST_AT_ONCE) await hand()
      // Others are served in between: matching must not hold up the service.
      const pause = turn()
      if (pause) await pause
    }
  }
  await hand()
  return scanned
}

/** The engine leaves out what no rule wants, as long as asking it so is cheaper than looking. */
const MOST_TERMS = 32

function prefilter(rules: Watched[]): Query {
  return widen(anyOf(rules.flatMap((watched) => watched.queries.map(widen))))
}

/** Every term costs the engine time and memory, and public rules have thousands of them. */
function widen(query: Query): Query {
  if (countTerms(query) <= MOST_TERMS) return query
  if (query.kind !== 'and') return { kind: 'all' }
  // Without a condition more events come through, never fewer.
  let left = MOST_TERMS
  const cheap = query.queries.filter((one) => {
    const terms = countTerms(one)
    if (terms > left) return false
    left -= terms
    return true
  })
  return allOf(cheap)
}

function countTerms(query: Query): number {
  if (query.kind === 'not') return countTerms(query.query)
  if (query.kind !== 'and' && query.kind !== 'or') return 1
  return query.queries.reduce((count, one) => count + countTerms(one), 0)
}

function unionOf(rules: Watched[]): Pick<LogSelection, 'time' | 'received'> {
  return {
    time: union(rules.map(({ time }) => time)),
    received: union(rules.map(({ received }) => received)),
  }
}

function union(ranges: TimeRange[]): TimeRange {
  const from = Math.min(...ranges.map((range) => range.from ?? -Infinity))
  const to = Math.max(...ranges.map((range) => range.to ?? Infinity))
  return {
    from: Number.isFinite(from) ? from : undefined,
    to: Number.isFinite(to) ? to : undefined,
  }
}

const isWithin = ({ from = -Infinity, to = Infinity }: TimeRange, moment: number) =>
  moment >= from && moment < to
