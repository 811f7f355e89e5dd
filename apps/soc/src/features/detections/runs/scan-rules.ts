import { startTurns } from '@manara/kit/turns'
import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { LogSelection, LogStore, StoredLog, TimeRange } from '../../../ports/log-store.ts'
import { createDetector, type Detector, type Hit, lookBackMs } from '../domain/evaluate.ts'
import { clustersOf, type Stretch } from '../domain/stretches.ts'
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

/**
 * Of these stretches of time everything that concerns the rule was looked at, and these alone are
 * its hits: what was one before is none any more, because another event came late.
 */
export type Settled = { ranges: { from: number; to: number }[]; hitIds: string[] }

/** Takes hits as they are found; the scan goes on when it resolves. */
export type Sink = (watched: Watched, hits: Hit<StoredLog>[], settled?: Settled) => Promise<void>

/**
 * All rules in one scan of the logs, never one query a rule. Rules about single events find their
 * hits at once; those about several note when something concerns them, and share a second scan
 * over those stretches of time, with a look back and ahead. Resolves to how many events were read.
 */
export async function scanRules(logs: Logs, rules: Watched[], sink: Sink): Promise<number> {
  const alone = new Map(
    rules
      .filter(({ rule }) => lookBackMs(rule) === 0)
      .map((watched) => [watched, createDetector(watched.rule)]),
  )
  const stretches = new Map<Watched, Stretch[]>()
  const { scanned, found } = await scan(
    logs,
    rules,
    unionOf(rules),
    sink,
    (watched, log, steps) => {
      if (!isWithin(watched.time, log.at)) return undefined
      if (!isWithin(watched.received, log.received_at)) return undefined
      const detector = alone.get(watched)
      if (detector) return detector.feed(log, steps)
      note(stretches, watched, log.at)
      return undefined
    },
  )
  for (const [watched, hits] of found) await sink(watched, hits)
  return scanned + (await scanWindows(logs, stretches, sink))
}

/** Events come in order of time: one either lengthens the last stretch or begins another. */
function note(stretches: Map<Watched, Stretch[]>, watched: Watched, at: number) {
  const list = stretches.get(watched)
  const last = list?.at(-1)
  if (!list) stretches.set(watched, [{ first: at, last: at }])
  else if (last && at - last.last <= 2 * lookBackMs(watched.rule))
    last.last = Math.max(last.last, at)
  else list.push({ first: at, last: at })
}

type Window = { watched: Watched; first: number; from: number; to: number; detector: Detector }

// Farther apart than this, two scans read less than one that spans what lies between.
const APART_MS = 86_400_000

/**
 * Rules about several events around those that concern them. An event decides about itself and about
 * those after it, so the look goes ahead as well: it may have come late. Hits before the stretch are
 * not of this run: nothing that concerns it could have made them.
 */
export async function scanWindows(
  logs: Logs,
  stretches: Map<Watched, Stretch[]>,
  sink: Sink,
): Promise<number> {
  const windows = [...stretches].flatMap(([watched, list]) =>
    list.map((stretch) => windowOf(watched, stretch)),
  )
  let read = 0
  for (const cluster of clustersOf(windows, APART_MS))
    read += await scanCluster(logs, cluster, sink)
  return read
}

function windowOf(watched: Watched, { first, last }: Stretch): Window {
  const around = lookBackMs(watched.rule)
  return {
    watched,
    first,
    from: first - around,
    to: Math.min(watched.time.to ?? Infinity, last + around + 1),
    detector: createDetector(watched.rule),
  }
}

async function scanCluster(logs: Logs, cluster: Window[], sink: Sink): Promise<number> {
  const windows = Map.groupBy(cluster, ({ watched }) => watched)
  const hitIds = new Map<Watched, string[]>([...windows.keys()].map((watched) => [watched, []]))
  const range = { time: union(cluster) }
  const { scanned, found } = await scan(
    logs,
    [...windows.keys()],
    range,
    sink,
    (watched, log, steps) => {
      const window = windows.get(watched)?.find((one) => isWithin(one, log.at))
      const hit = window?.detector.feed(log, steps)
      if (!window || !hit || log.at < window.first) return undefined
      hitIds.get(watched)?.push(log.id)
      return hit
    },
  )
  for (const [watched, parts] of windows) {
    const ranges = parts.map(({ first, to }) => ({ from: first, to }))
    await sink(watched, found.get(watched) ?? [], { ranges, hitIds: hitIds.get(watched) ?? [] })
  }
  return scanned
}

type Judge = (watched: Watched, log: StoredLog, steps: number[]) => Hit<StoredLog> | undefined

/** What is handed to the sink at once: a transaction's worth. */
const MOST_AT_ONCE = 1_000

/** `found` is what was not handed over yet. */
async function scan(
  logs: Logs,
  rules: Watched[],
  window: Pick<LogSelection, 'time' | 'received'>,
  sink: Sink,
  judge: Judge,
): Promise<{ scanned: number; found: Map<Watched, Hit<StoredLog>[]> }> {
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
  return { scanned, found }
}

const MOST_TERMS = 32

/** The engine leaves out what no rule wants, as long as asking it so is cheaper than looking. */
export function prefilter(rules: Pick<Watched, 'queries'>[]): Query {
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
