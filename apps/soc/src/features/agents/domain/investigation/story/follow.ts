import { isHub } from '../evidence/programs.ts'
import { type Actor, ancestry } from './actor.ts'
import type { Graph } from './graph.ts'

/** Below, somebody's other programs are none of the story. */
const SUSPICIOUS = 12
const CARRIES_ORDERS = new Set(['psexesvc.exe', 'wmiprvse.exe', 'services.exe'])

/** The last ancestor that is no hub: beyond it everything has the same parents. */
export function rootOf(actor: Actor): Actor {
  let root = actor
  for (const one of ancestry(actor)) {
    if (one !== actor && (isHub(one.name) || one.name === '')) break
    root = one
  }
  return root
}

/**
 * Forwards from the beginnings: children, injected processes, what was written and then run, other
 * suspicious programs of the same person there, and what they did on hosts they went to.
 */
export function follow(graph: Graph, ranked: Actor[], beginnings: Actor[]): Set<Actor> {
  const suspicious = ranked.filter((one) => one.score >= SUSPICIOUS && !isHub(one.name))
  const ofPerson = groupBy(suspicious, (one) => one.user)
  const carriers = ranked.filter((one) => one.score >= 20 && CARRIES_ORDERS.has(one.name))
  const arrivals = new Set(
    graph.sessions.map(
      ({ host, user, from }) => `${graph.hostOfAddress.get(from) ?? ''}>${host}|${user}`,
    ),
  )
  const story = new Set<Actor>()
  const queue = [...beginnings]
  for (let one = queue.shift(); one; one = queue.shift()) {
    if (story.has(one)) continue
    story.add(one)
    for (const next of [...one.children, ...one.ran]) {
      if (!isHub(next.name) || next.name === 'conhost.exe') queue.push(next)
    }
    queue.push(...one.injected)
    for (const other of one.user === '' ? [] : (ofPerson.get(one.user) ?? [])) {
      if (story.has(other)) continue
      if (other.host === one.host) queue.push(rootOf(other))
      else if (
        other.kind === 'session' ||
        arrivals.has(`${one.host}>${other.host}|${other.user}`)
      ) {
        queue.push(other)
      }
    }
    for (const carrier of carriers) if (carrier.host === one.host) queue.push(carrier)
  }
  return story
}

function groupBy(actors: Actor[], key: (actor: Actor) => string): Map<string, Actor[]> {
  const groups = new Map<string, Actor[]>()
  for (const actor of actors) {
    const known = groups.get(key(actor))
    if (known) known.push(actor)
    else groups.set(key(actor), [actor])
  }
  return groups
}
