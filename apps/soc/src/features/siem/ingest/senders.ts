import type { IngestWay } from '@manara/soc-contract/siem-ingest'

export type SenderTally = {
  way: IngestWay
  sender: string
  events: number
  /** Kept as text, whole or from some place on. */
  unread: number
  refused: number
  lastAt: number
  /** Until then its events are kept as text, since one of them took too long to read. */
  slowedUntil: number | undefined
}

export type Senders = ReturnType<typeof createSenders>

const MOST_SENDERS = 1_000
const SLOWED_MS = 60_000

/** Who sends what, by way in: those that have been silent for longest are forgotten. */
export function createSenders(now: () => number = Date.now) {
  const tallies = new Map<string, SenderTally>()

  function of(way: IngestWay, sender: string): SenderTally {
    const name = `${way} ${sender}`
    const known = tallies.get(name)
    const tally = known ?? {
      ...{ way, sender, events: 0, unread: 0, refused: 0 },
      ...{ lastAt: 0, slowedUntil: undefined },
    }
    // Put last again: the first ones are those that sent nothing for longest.
    tallies.delete(name)
    tallies.set(name, tally)
    if (tallies.size > MOST_SENDERS) tallies.delete(tallies.keys().next().value ?? '')
    tally.lastAt = now()
    return tally
  }

  return {
    note(
      way: IngestWay,
      sender: string,
      counted: { events?: number; unread?: number; refused?: number },
    ) {
      const tally = of(way, sender)
      tally.events += counted.events ?? 0
      tally.unread += counted.unread ?? 0
      tally.refused += counted.refused ?? 0
    },
    slow(way: IngestWay, sender: string) {
      of(way, sender).slowedUntil = now() + SLOWED_MS
    },
    isSlowed(way: IngestWay, sender: string): boolean {
      return (tallies.get(`${way} ${sender}`)?.slowedUntil ?? 0) > now()
    },
    list: (): SenderTally[] => [...tallies.values()],
  }
}
