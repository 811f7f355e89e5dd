import type { IngestWay, RefusalReason } from '@manara/soc-contract/siem-ingest'
import type { Tally as ReadTally } from './tally.ts'

export type Tally = { received: number; stored: number; duplicates: number; refused: number }
/** `unread` were kept as text, whole or from some place on. */
export type WayTally = Tally & { unread: number }
export type SourceTally = Tally & {
  lastEventAt: number | null
  lastReceivedAt: number | null
  /** Stored per minute, by the minute's number since 1970. */
  minutes: Map<number, number>
}

/** Stored events by the parser that read them: `lastAt` is when the last one came. */
export type ParserTally = { events: number; lastAt: number }

export type Counters = ReturnType<typeof createCounters>

/** A sender chooses its sources' names: beyond this many they are counted together. */
const MOST_SOURCES = 200
/** Under which events that nothing read are counted. */
export const NO_PARSER = ''
export const OTHERS = 'other sources'
export const CHART_MINUTES = 60
const MINUTE_MS = 60_000

const nothing = (): Tally => ({ received: 0, stored: 0, duplicates: 0, refused: 0 })

export function createCounters(now: () => number = Date.now) {
  const ways = new Map<IngestWay, WayTally>()
  const sources = new Map<string, SourceTally>()
  const refusals = new Map<IngestWay, Map<RefusalReason, number>>()
  const parsers = new Map<string, ParserTally>()

  function ofWay(way: IngestWay): WayTally {
    const known = ways.get(way)
    if (known) return known
    const made = { ...nothing(), unread: 0 }
    ways.set(way, made)
    return made
  }

  function ofSource(source: string): SourceTally {
    const name = sources.has(source) || sources.size < MOST_SOURCES ? source : OTHERS
    const known = sources.get(name)
    if (known) return known
    const made = { ...nothing(), lastEventAt: null, lastReceivedAt: null, minutes: new Map() }
    sources.set(name, made)
    return made
  }

  function countParser({ parser, events }: ReadTally, lastAt: number) {
    const known = parsers.get(parser)
    if (!known) parsers.set(parser, { events, lastAt })
    else {
      known.events += events
      known.lastAt = lastAt
    }
  }

  function countStored(read: ReadTally, receivedAt: number) {
    countParser(read, receivedAt)
    const tally = ofSource(read.source)
    tally.stored += read.events
    tally.lastEventAt = Math.max(tally.lastEventAt ?? read.lastEventAt, read.lastEventAt)
    tally.lastReceivedAt = receivedAt
    const minute = Math.floor(now() / MINUTE_MS)
    const count = tally.minutes.get(minute)
    tally.minutes.set(minute, (count ?? 0) + read.events)
    if (count === undefined) {
      for (const old of tally.minutes.keys()) {
        if (old <= minute - CHART_MINUTES) tally.minutes.delete(old)
      }
    }
  }

  return {
    /** By the parsers' ids; what none read is under `NO_PARSER`. */
    parsers: parsers as ReadonlyMap<string, ParserTally>,
    ways: ways as ReadonlyMap<IngestWay, WayTally>,
    sources: sources as ReadonlyMap<string, SourceTally>,
    refusals: refusals as ReadonlyMap<IngestWay, ReadonlyMap<RefusalReason, number>>,
    received(way: IngestWay, tallies: ReadTally[]) {
      ofWay(way).received += eventsOf(tallies)
      for (const { source, events } of tallies) ofSource(source).received += events
    },
    unread(way: IngestWay, count: number) {
      ofWay(way).unread += count
    },
    stored(way: IngestWay, tallies: ReadTally[], receivedAt: number) {
      ofWay(way).stored += eventsOf(tallies)
      for (const tally of tallies) countStored(tally, receivedAt)
    },
    duplicates(way: IngestWay, tallies: ReadTally[]) {
      ofWay(way).duplicates += eventsOf(tallies)
      for (const { source, events } of tallies) ofSource(source).duplicates += events
    },
    refusedLogs(way: IngestWay, reason: RefusalReason, tallies: ReadTally[]) {
      for (const { source, events } of tallies) ofSource(source).refused += events
      this.refused(way, reason, eventsOf(tallies))
    },
    /** Events, or whole requests where what they held was not looked at. */
    refused(way: IngestWay, reason: RefusalReason, count = 1) {
      ofWay(way).refused += count
      const reasons = refusals.get(way) ?? new Map<RefusalReason, number>()
      refusals.set(way, reasons.set(reason, (reasons.get(reason) ?? 0) + count))
    },
  }
}

const eventsOf = (tallies: ReadTally[]) => tallies.reduce((sum, { events }) => sum + events, 0)
