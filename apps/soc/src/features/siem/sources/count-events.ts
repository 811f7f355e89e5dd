import { MOST_EXAMPLES, type Tally } from '../ingest/tally.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** A sender chooses its sources' names: of more at once only the first are counted here. */
const MOST_SOURCES = 5_000
const MOST_PARSERS = 200

export type HourCount = {
  source: string
  hour: number
  events: number
  read: number
  lagMs: number
  firstReceivedAt: number
  lastReceivedAt: number
  lastEventAt: number
  /** The longest silence between two of these events. */
  gapMs: number
  minutes: Map<number, number>
  /** By parser; the empty one read nothing. */
  parsers: Map<string, number>
  examples: { id: string; message: string; receivedAt: number }[]
}

export type EventCounts = ReturnType<typeof createEventCounts>

/** Events that are on disk, counted by source and hour until somebody takes the counts away. */
export function createEventCounts() {
  let counts = new Map<string, Map<number, HourCount>>()

  function of(source: string, hour: number): HourCount | undefined {
    const hours = counts.get(source)
    const known = hours?.get(hour)
    if (known || (!hours && counts.size >= MOST_SOURCES)) return known
    const made: HourCount = {
      ...{ source, hour, events: 0, read: 0, lagMs: 0, gapMs: 0 },
      ...{ firstReceivedAt: Number.POSITIVE_INFINITY, lastReceivedAt: 0, lastEventAt: 0 },
      ...{ minutes: new Map(), parsers: new Map(), examples: [] },
    }
    if (hours) hours.set(hour, made)
    else counts.set(source, new Map([[hour, made]]))
    return made
  }

  function addOne(tally: Tally, receivedAt: number) {
    const count = of(tally.source, Math.floor(receivedAt / HOUR_MS))
    if (!count) return
    if (count.events > 0) {
      count.gapMs = Math.max(count.gapMs, receivedAt - count.lastReceivedAt)
    }
    count.events += tally.events
    count.lagMs += tally.lagMs
    count.firstReceivedAt = Math.min(count.firstReceivedAt, receivedAt)
    count.lastReceivedAt = Math.max(count.lastReceivedAt, receivedAt)
    count.lastEventAt = Math.max(count.lastEventAt, tally.lastEventAt)
    const minute = Math.floor(receivedAt / MINUTE_MS)
    count.minutes.set(minute, (count.minutes.get(minute) ?? 0) + tally.events)
    countParser(count, tally, receivedAt)
  }

  return {
    /** Events that came in at one moment. */
    add(tallies: Tally[], receivedAt: number) {
      for (const tally of tallies) addOne(tally, receivedAt)
    },
    /** What was counted since the last time. */
    take(): HourCount[] {
      const taken = [...counts.values()].flatMap((hours) => [...hours.values()])
      counts = new Map()
      return taken
    },
    /** What could not be written goes back. */
    putBack(taken: HourCount[]) {
      for (const one of taken) {
        const now = of(one.source, one.hour)
        if (now) merge(now, one)
      }
    },
  }
}

function countParser(count: HourCount, { parser, events, examples }: Tally, receivedAt: number) {
  if (parser !== '') count.read += events
  for (const example of examples) {
    if (count.examples.length < MOST_EXAMPLES) count.examples.push({ ...example, receivedAt })
  }
  if (count.parsers.has(parser) || count.parsers.size < MOST_PARSERS) {
    count.parsers.set(parser, (count.parsers.get(parser) ?? 0) + events)
  }
}

/** `before` was counted first. */
function merge(now: HourCount, before: HourCount) {
  const between = now.events > 0 ? now.firstReceivedAt - before.lastReceivedAt : 0
  now.gapMs = Math.max(now.gapMs, before.gapMs, between)
  now.events += before.events
  now.read += before.read
  now.lagMs += before.lagMs
  now.firstReceivedAt = Math.min(now.firstReceivedAt, before.firstReceivedAt)
  now.lastReceivedAt = Math.max(now.lastReceivedAt, before.lastReceivedAt)
  now.lastEventAt = Math.max(now.lastEventAt, before.lastEventAt)
  now.examples = [...before.examples, ...now.examples].slice(0, MOST_EXAMPLES)
  for (const [minute, count] of before.minutes) {
    now.minutes.set(minute, (now.minutes.get(minute) ?? 0) + count)
  }
  for (const [parser, count] of before.parsers) {
    now.parsers.set(parser, (now.parsers.get(parser) ?? 0) + count)
  }
}
