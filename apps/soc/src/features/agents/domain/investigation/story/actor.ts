import type { Seen } from '../evidence/seen.ts'

/** Why somebody is looked at: counted once an actor, however often it was seen. */
export type Reason = {
  /** `rule:<id>` or `builtin:<id>`. */
  id: string
  weight: number
  techniques: readonly string[]
  why: string
  /** The events that show it; the first is the one to read. */
  events: Seen[]
  rule: { id: string; name: string } | null
}

/**
 * Who did something: a process, what an account did where no process is named, a WMI subscription,
 * or an address that knocked from outside.
 */
export type Actor = {
  key: string
  kind: 'process' | 'session' | 'subscription' | 'address'
  host: string
  pid: number
  image: string
  name: string
  command: string
  user: string
  /** First seen, not necessarily started. */
  at: number
  startedAt: number | undefined
  endedAt: number | undefined
  guid: string
  /** Events that it did itself; none when others only name it. */
  deeds: number
  parent: Actor | undefined
  children: Actor[]
  /** Processes it started a thread in or wrote to. */
  injected: Set<Actor>
  isInjected: boolean
  /** Programs that it wrote and that ran afterwards. */
  ran: Set<Actor>
  /** Hosts that turned it away. */
  refusedBy: Set<string>
  reasons: Map<string, Reason>
  /** What a person reads of it beside its reasons: starts, ends, services, explicit logons. */
  told: Seen[]
  score: number
}

export function newActor(
  fields: Pick<Actor, 'key' | 'kind' | 'host' | 'pid' | 'image' | 'name' | 'at'>,
): Actor {
  return {
    ...fields,
    command: '',
    user: '',
    startedAt: undefined,
    endedAt: undefined,
    guid: '',
    deeds: 0,
    parent: undefined,
    children: [],
    injected: new Set(),
    isInjected: false,
    ran: new Set(),
    refusedBy: new Set(),
    reasons: new Map(),
    told: [],
    score: 0,
  }
}

/** Strongest first; ties by time, then key, so that two runs agree. */
export const byStrength = (a: Actor, b: Actor) =>
  b.score - a.score || a.at - b.at || (a.key < b.key ? -1 : 1)

const FARTHEST_UP = 12

/** Itself, its parent and so on; a chain that is longer has been made up. */
export function* ancestry(actor: Actor): Generator<Actor> {
  let one: Actor | undefined = actor
  for (let step = 0; one && step < FARTHEST_UP; step += 1) {
    yield one
    one = one.parent
  }
}
