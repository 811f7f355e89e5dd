import type { Seen } from '../evidence/seen.ts'
import { type Actor, newActor } from './actor.ts'
import { createProcessTable } from './process-table.ts'

/** Somebody came in over the network. */
type Session = { host: string; user: string; from: string; event: Seen }
/** A process went to another host, to a place where orders are taken. */
type Connection = { actor: Actor; to: string; port: string; at: number; event: Seen }
/** A host turned a connection away, before any process there saw it. */
type Refusal = { from: string; host: string; port: string; event: Seen }

/** What the events of a window say about who did what, and from where. */
export type Graph = ReturnType<typeof createGraph>

export function createGraph() {
  const processes = createProcessTable()
  const others = new Map<string, Actor>()

  /** One for each name on a host: what is not a process. */
  function other(kind: Actor['kind'], event: Seen, name: string): Actor {
    const key = `${event.host}|${kind}|${name}`
    const known = others.get(key)
    if (known) return known
    const actor = newActor({ key, kind, host: event.host, pid: 0, image: '', name, at: event.at })
    others.set(key, actor)
    return actor
  }

  return {
    processes,
    other,
    /** Which host has an address, as far as its own connections told. */
    hostOfAddress: new Map<string, string>(),
    actorOf: new Map<Seen, Actor>(),
    sessions: [] as Session[],
    connections: [] as Connection[],
    refusals: [] as Refusal[],
    actors: (): Actor[] => [...processes.all, ...others.values()],
  }
}

export function adopt(parent: Actor, child: Actor) {
  if (parent === child || child.parent) return
  child.parent = parent
  parent.children.push(child)
}
