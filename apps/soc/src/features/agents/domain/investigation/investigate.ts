import type { LogRecord } from '@manara/log-query/event'
import { isHub } from './evidence/programs.ts'
import { lookAt, type Seen } from './evidence/seen.ts'
import type { Actor } from './story/actor.ts'
import { follow, rootOf } from './story/follow.ts'
import { createGraph, type Graph } from './story/graph.ts'
import {
  eventsToRead,
  initiatorOf,
  rankNames,
  rankTechniques,
  type WeighedTechnique,
} from './story/name-story.ts'
import { findOrigin } from './story/origin.ts'
import { readLinux, readLogons } from './story/read-logons.ts'
import { readWeb } from './story/read-web.ts'
import { linkWritten, readWindows } from './story/read-windows.ts'
import { findReasons, type Knowledge } from './story/reasons.ts'
import { attributeRefusals } from './story/refusals.ts'
import { scoreActors } from './story/score.ts'

export type Focus = { at: number; hosts: ReadonlySet<string>; logIds: ReadonlySet<string> }

export type Story = {
  score: number
  parts: Actor[]
  lead: Actor
  root: Actor
  initiator: Actor | undefined
  hosts: string[]
  users: string[]
  techniques: WeighedTechnique[]
  timeline: Seen[]
  graph: Graph
}

/** Below this, nothing was found. */
const SUSPICIOUS = 12
const NEAR_MS = 10 * 60_000
const ELSEWHERE = 0.6

/** The same events give the same story: no clock and no chance has a part in it. */
export function investigate(
  logs: LogRecord[],
  focus: Focus | undefined,
  knowledge: Knowledge,
): Story | undefined {
  const events = logs.map(lookAt).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const graph = createGraph()
  readWindows(graph, events)
  linkWritten(graph, events)
  readLinux(graph, events)
  readWeb(graph, events, knowledge.baseline)
  readLogons(graph, events, knowledge.baseline)
  findReasons(graph, events, knowledge)
  scoreActors(graph, knowledge.baseline)
  attributeRefusals(graph, knowledge.baseline)
  const ranked = scoreActors(graph, knowledge.baseline)

  const nearness = createNearness(focus)
  const weight = (one: Actor) =>
    one.score * nearness(one) * (focus && !focus.hosts.has(one.host) ? ELSEWHERE : 1)
  const strongest = ranked.reduce<Actor | undefined>(
    (best, one) => (best && weight(best) >= weight(one) ? best : one),
    undefined,
  )
  if (!strongest || strongest.score < SUSPICIOUS) return undefined
  return tell(graph, ranked, strongest, nearness, (id) => knowledge.successors[id] ?? id)
}

function tell(
  graph: Graph,
  ranked: Actor[],
  strongest: Actor,
  nearness: (actor: Actor) => number,
  current: (technique: string) => string,
): Story {
  const lead = nameable(ranked, strongest)
  const origin = findOrigin(graph, ranked, lead)
  const root = rootOf(origin)
  const story = follow(graph, ranked, [root, rootOf(lead), lead, strongest])
  const parts = ranked.filter((one) => story.has(one))
  const isElsewhere = origin !== lead
  const hosts = rankNames(parts, isElsewhere ? origin.host : '', ({ host }) => host)
  const users = rankNames(parts, isElsewhere ? origin.user : '', ({ user }) => user)
  return {
    score: strongest.score,
    parts,
    lead,
    root,
    initiator: isElsewhere ? origin : initiatorOf(parts, (one) => one.score * nearness(one)),
    hosts: [...new Set([...hosts, ...reachedBy(graph, story)])],
    users: users.length > 0 ? users : onlyPersonOn(graph, origin.host),
    techniques: rankTechniques(parts, nearness, current),
    timeline: eventsToRead(parts, graph.sessions),
    graph,
  }
}

/** Where the story's programs went to give orders, or were turned away. */
function reachedBy(graph: Graph, story: Set<Actor>): string[] {
  const hosts = new Set<string>()
  for (const { actor, to } of graph.connections) {
    const host = graph.hostOfAddress.get(to)
    if (host !== undefined && story.has(actor) && !isHub(actor.name)) hosts.add(host)
  }
  for (const actor of story) for (const host of actor.refusedBy) hosts.add(host)
  return [...hosts].sort()
}

/** A host on which one person is at work: what nobody is named for there is most likely theirs. */
function onlyPersonOn(graph: Graph, host: string): string[] {
  const users = new Set(
    graph.actors().flatMap((one) => (one.host === host && one.user !== '' ? [one.user] : [])),
  )
  return users.size === 1 ? [...users] : []
}

/** What nobody and no process is named for is told by the next strongest program there. */
function nameable(ranked: Actor[], strongest: Actor): Actor {
  if (strongest.kind !== 'session' || strongest.user !== '') return strongest
  return (
    ranked.find(
      (one) =>
        one.host === strongest.host && one.kind === 'process' && one.score >= strongest.score / 2,
    ) ?? strongest
  )
}

/** What happened long before or after what was asked about weighs less: half after ten minutes. */
function createNearness(focus: Focus | undefined) {
  const known = new Map<Actor, number>()
  return (actor: Actor): number => {
    if (!focus) return 1
    const before = known.get(actor)
    if (before !== undefined) return before
    const moments = [...actor.reasons.values()].flatMap(({ events }) => events.map(({ at }) => at))
    const gap = [actor.at, ...moments].reduce(
      (least, at) => Math.min(least, Math.abs(at - focus.at)),
      Number.POSITIVE_INFINITY,
    )
    const near = 1 / (1 + gap / NEAR_MS)
    known.set(actor, near)
    return near
  }
}
