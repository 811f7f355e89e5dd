import { isHub, isOffice, takesOrders } from '../evidence/programs.ts'
import { type Actor, ancestry } from './actor.ts'
import type { Graph } from './graph.ts'

const MOST_HOSTS = 5
const BEFORE_MS = 5 * 60_000
const AFTER_MS = 30_000

/** Back over hosts: who there gave the order for what happened here, and who gave theirs. */
export function findOrigin(graph: Graph, ranked: Actor[], lead: Actor): Actor {
  const visited = new Set([lead.host])
  let actor = lead
  while (visited.size < MOST_HOSTS) {
    const before = cameFrom(graph, ranked, actor) ?? orderedBy(graph, ranked, actor)
    if (!before || visited.has(before.host)) return actor
    visited.add(before.host)
    actor = before
  }
  return actor
}

const isProgram = (actor: Actor) => actor.kind === 'process' && !isHub(actor.name)

/** What an account did without a process is the doing of its strongest program where it came from. */
function cameFrom(graph: Graph, ranked: Actor[], actor: Actor): Actor | undefined {
  if (actor.kind !== 'session' || actor.user === '') return undefined
  const from = new Set<string>()
  for (const session of graph.sessions) {
    const host = graph.hostOfAddress.get(session.from)
    const isTheirs = session.host === actor.host && session.user === actor.user
    if (isTheirs && host !== undefined && host !== actor.host) from.add(host)
  }
  return ranked.find((one) => from.has(one.host) && one.user === actor.user && isProgram(one))
}

/** Started by something that takes orders over the network: who connected, or signed in, just before? */
function orderedBy(graph: Graph, ranked: Actor[], actor: Actor): Actor | undefined {
  if (![...ancestry(actor)].some(isOrdered)) return undefined
  const { host } = actor
  const direct = graph.connections
    .filter(
      (one) =>
        graph.hostOfAddress.get(one.to) === host &&
        one.actor.host !== host &&
        Math.abs(one.at - actor.at) < BEFORE_MS &&
        one.actor.user !== '' &&
        isProgram(one.actor) &&
        (actor.user === '' || actor.user === one.actor.user),
    )
    .sort((a, b) => b.actor.score - a.actor.score || a.at - b.at)[0]
  if (direct) return direct.actor
  const near = graph.sessions
    .filter(
      ({ event, ...one }) =>
        one.host === host &&
        event.at <= actor.at + AFTER_MS &&
        event.at >= actor.at - BEFORE_MS &&
        (actor.user === '' || actor.user === one.user),
    )
    .sort((a, b) => b.event.at - a.event.at || (a.event.id < b.event.id ? -1 : 1))
  for (const session of near) {
    const from = graph.hostOfAddress.get(session.from)
    const found =
      from === undefined || from === host
        ? undefined
        : ranked.find((one) => one.host === from && one.user === session.user && isProgram(one))
    if (found) return found
  }
  return undefined
}

const isOrdered = (actor: Actor) =>
  takesOrders(actor.name) ||
  (isOffice(actor.name) && actor.command.toLowerCase().includes('-embedding'))
