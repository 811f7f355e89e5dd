import type { StoredLog } from '../../../ports/log-store.ts'
import { PARSER } from '../normalise/parsed.ts'

/** Events of one source that one parser read, counted together. */
export type Tally = {
  source: string
  /** Empty for what nothing read. */
  parser: string
  events: number
  lastEventAt: number
  /** From the event to its arrival, of all of them. */
  lagMs: number
  /** Of those that nothing read. */
  examples: { id: string; message: string }[]
}

type Counted = Pick<StoredLog, 'id' | 'at' | 'received_at' | 'source' | 'message'> & {
  fields: Record<string, unknown>
}

export const MOST_EXAMPLES = 3
const LONGEST_EXAMPLE = 500

/** Counts one event after the other. */
export function beginTally() {
  const tallies = new Map<string, Map<string, Tally>>()
  return {
    add: (log: Counted) => count(tallies, log),
    finish: (): Tally[] => [...tallies.values()].flatMap((parsers) => [...parsers.values()]),
  }
}

export function tallyOf(logs: Counted[]): Tally[] {
  const tally = beginTally()
  for (const log of logs) tally.add(log)
  return tally.finish()
}

function count(tallies: Map<string, Map<string, Tally>>, log: Counted) {
  const { source, at } = log
  const named = log.fields[PARSER]
  const parser = typeof named === 'string' ? named : ''
  const parsers = tallies.get(source) ?? new Map<string, Tally>()
  if (parsers.size === 0) tallies.set(source, parsers)
  const known = parsers.get(parser)
  const tally = known ?? { source, parser, events: 0, lastEventAt: at, lagMs: 0, examples: [] }
  if (!known) parsers.set(parser, tally)
  tally.events += 1
  tally.lagMs += Math.max(0, log.received_at - at)
  if (at > tally.lastEventAt) tally.lastEventAt = at
  if (parser === '' && tally.examples.length < MOST_EXAMPLES) {
    tally.examples.push({ id: log.id, message: log.message.slice(0, LONGEST_EXAMPLE) })
  }
}
