import { isHub, isShell } from '../evidence/programs.ts'
import type { Seen } from '../evidence/seen.ts'
import { type Actor, byStrength, type Reason } from './actor.ts'

/** Who began it: the earliest program that is at least half as suspicious as the worst. */
export function initiatorOf(parts: Actor[], weight: (actor: Actor) => number): Actor | undefined {
  const programs = parts.filter(({ kind }) => kind === 'process' || kind === 'address')
  const best = programs.reduce((most, one) => Math.max(most, weight(one)), 0)
  const candidates = programs
    .filter(
      (one) => weight(one) >= best / 2 && !isHub(one.name) && !isShell(one.name) && !one.isInjected,
    )
    .sort((a, b) => a.at - b.at || weight(b) - weight(a) || (a.key < b.key ? -1 : 1))
  return candidates[0] ?? strongest(programs.filter((one) => !one.isInjected)) ?? programs[0]
}

const strongest = (actors: Actor[]) => actors.toSorted(byStrength)[0]

/** Names by the summed score of those who bear them, the origin's first. */
export function rankNames(
  parts: Actor[],
  first: string,
  nameOf: (actor: Actor) => string,
): string[] {
  const sums = new Map<string, number>()
  for (const part of parts) {
    const name = nameOf(part)
    if (name !== '') sums.set(name, (sums.get(name) ?? 0) + part.score)
  }
  const names = [...sums]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name]) => name)
  return first === '' ? names : [first, ...names.filter((name) => name !== first)]
}

// True of nearly every attack: named, but not first, unless it was seen as it happened.
const MEANS = /^T(1059|1204|1027|1105|1055$|1036|1564|1140)/
// Done before the attack and elsewhere: no event here shows it.
const PREPARATION = /^T(158[3-8]|1608|159[0-8])/

export type WeighedTechnique = { id: string; weight: number; reasons: Reason[] }

/** `current` is what ATT&CK calls a technique today: two names of one must not share its weight. */
export function rankTechniques(
  parts: Actor[],
  nearness: (actor: Actor) => number,
  current: (id: string) => string,
): WeighedTechnique[] {
  const weights = new Map<string, { weights: number[]; reasons: Reason[] }>()
  for (const part of parts) {
    for (const reason of part.reasons.values()) {
      const { techniques, weight } = reason
      for (const id of new Set(techniques.map(current))) {
        const known = weights.get(id) ?? { weights: [], reasons: [] }
        const share = (weight * nearness(part)) / Math.sqrt(techniques.length)
        known.weights.push(share * factorOf(id, reason.id))
        known.reasons.push(reason)
        weights.set(id, known)
      }
    }
  }
  return [...weights]
    .map(([id, { weights, reasons }]) => ({
      id,
      weight: weights
        .sort((a, b) => b - a)
        .reduce((sum, weight, place) => sum + weight / (1 + place), 0),
      reasons,
    }))
    .sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1))
}

function factorOf(technique: string, reason: string): number {
  if (PREPARATION.test(technique)) return 0.3
  return MEANS.test(technique) && reason !== 'builtin:remote-thread' ? 0.6 : 1
}

/** What a person reads, oldest first. */
export function eventsToRead(
  parts: Actor[],
  sessions: { host: string; user: string; event: Seen }[],
) {
  const events = new Set<Seen>()
  for (const part of parts) {
    for (const reason of part.reasons.values()) {
      const [first] = reason.events
      if (first) events.add(first)
    }
    if (!isHub(part.name)) for (const event of part.told) events.add(event)
  }
  for (const { host, user, event } of sessions) {
    if (parts.some((part) => part.host === host && part.user === user)) events.add(event)
  }
  return [...events].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}
