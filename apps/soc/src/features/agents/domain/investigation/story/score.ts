import { type Baseline, rarity } from '../baseline.ts'
import { ownerOfPath } from '../evidence/names.ts'
import { isHub, isUserWritable, takesOrders } from '../evidence/programs.ts'
import { type Actor, ancestry, byStrength } from './actor.ts'
import type { Graph } from './graph.ts'

/** Gives every actor its score; those with one, strongest first. */
export function scoreActors(graph: Graph, baseline: Baseline): Actor[] {
  const actors = graph.actors()
  for (const actor of actors) {
    actor.user ||= ownerOfPath(actor.image) || ownerOfPath(actor.command)
    actor.score = ownScore(actor, baseline)
  }
  const hostsOfKind = countHosts(actors)
  for (const actor of actors) {
    const isService = actor.user === '' && actor.kind === 'process'
    if (isService) actor.score *= serviceFactor(actor, hostsOfKind)
  }
  return actors.filter(({ score }) => score > 0).sort(byStrength)
}

/** Many weak reasons do not outweigh a strong one. */
function ownScore(actor: Actor, baseline: Baseline): number {
  const weights = [...actor.reasons.values()].map(({ weight }) => weight).sort((a, b) => b - a)
  const sum = weights.reduce((total, weight, place) => total + weight / (1 + place * 0.5), 0)
  if (actor.kind !== 'process') return sum
  if (isHub(actor.name)) return sum * (actor.name === 'wmiprvse.exe' ? 1 : 0.4)
  const unusual = actor.user === '' || actor.deeds === 0 ? 0 : 14 * rarityOf(actor, baseline)
  return sum + unusual + (isUserWritable(actor.image) ? 10 : 0)
}

function rarityOf(actor: Actor, baseline: Baseline): number {
  const program = rarity(baseline, `p:${actor.name}`)
  if (!actor.parent || actor.startedAt === undefined) return program
  return Math.max(program, rarity(baseline, `c:${actor.parent.name}>${actor.name}`))
}

const kindOf = (actor: Actor) => `${actor.parent?.name ?? ''}>${actor.name}`

function countHosts(actors: Actor[]): Map<string, Set<string>> {
  const hosts = new Map<string, Set<string>>()
  for (const actor of actors) {
    if (actor.user !== '') continue
    const known = hosts.get(kindOf(actor))
    if (known) known.add(actor.host)
    else hosts.set(kindOf(actor), new Set([actor.host]))
  }
  return hosts
}

const STARTS_FOR_OTHERS = new Set(['services.exe', 'wmiprvse.exe', 'scrcons.exe'])

/** What nobody owns and hosts do by themselves is rarely somebody's doing. */
function serviceFactor(actor: Actor, hostsOfKind: Map<string, Set<string>>): number {
  const { parent } = actor
  const isEverywhere = (hostsOfKind.get(kindOf(actor))?.size ?? 0) > 1
  const isHousework = parent && isHub(parent.name) && !STARTS_FOR_OTHERS.has(parent.name)
  if (isEverywhere || isHousework) return 0.4
  if (!parent || parent.name === 'services.exe' || parent.name === 'psexesvc.exe') return 1
  return [...ancestry(actor)].some(({ name }) => takesOrders(name)) ? 1 : 0.6
}
