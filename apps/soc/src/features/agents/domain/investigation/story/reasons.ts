import type { Severity } from '@manara/soc-contract/severity'
import { type Baseline, rarity } from '../baseline.ts'
import { personOf } from '../evidence/names.ts'
import type { Seen } from '../evidence/seen.ts'
import { indicatorsOf } from '../indicators/find-indicators.ts'
import type { Actor, Reason } from './actor.ts'
import type { Graph } from './graph.ts'

export type Rule = {
  id: string
  name: string
  severity: Severity
  techniques: string[]
  /** What people said about its alerts: undefined as long as nobody has. */
  verdicts?: { right: number; all: number } | undefined
}
/** A rule matched an event, and which alert says so. */
export type Hit = { rule: Rule; logId: string; alertId?: string | undefined }

/** What is known beforehand about how much a reason says here. */
export type Knowledge = {
  baseline: Baseline
  hits: Hit[]
  /** What ATT&CK calls a technique today whose id it has given up. */
  successors: Readonly<Record<string, string>>
}

const WEIGHTS: Record<Severity, number> = { critical: 80, high: 45, medium: 20, low: 6, info: 1 }
const MOST_EVENTS = 10

export function findReasons(
  graph: Graph,
  events: Seen[],
  { baseline, hits }: Pick<Knowledge, 'baseline' | 'hits'>,
) {
  for (const event of events) {
    for (const { id, weight, techniques, why } of indicatorsOf(event)) {
      const reason = { id: `builtin:${id}`, weight, techniques, why, rule: null }
      giveReason(holderOf(graph, event), weighed(reason, baseline), event)
    }
  }
  const byId = new Map(events.map((event) => [event.id, event]))
  for (const { rule, logId } of hits) {
    const event = byId.get(logId)
    if (!event) continue
    const reason = {
      id: `rule:${rule.id}`,
      weight: WEIGHTS[rule.severity] * trust(rule),
      techniques: rule.techniques,
      why: `the rule "${rule.name}" matched${saidOf(rule)}`,
      rule: { id: rule.id, name: rule.name },
    }
    giveReason(holderOf(graph, event), weighed(reason, baseline), event)
  }
}

function saidOf({ verdicts }: Rule): string {
  if (!verdicts || verdicts.all === 0) return ''
  const wrong = Math.round(verdicts.all - verdicts.right)
  return wrong === 0
    ? ''
    : ` (people called ${wrong} of ${Math.round(verdicts.all)} of its alerts false)`
}

/** Once an actor; the events that showed it again are kept as further proof. */
export function giveReason(actor: Actor, reason: Omit<Reason, 'events'>, ...events: Seen[]) {
  const known = actor.reasons.get(reason.id)
  if (!known) actor.reasons.set(reason.id, { ...reason, events: [...events] })
  else if (known.events.length < MOST_EVENTS) known.events.push(...events)
}

/** A rule that always fires here says little. */
export function weighed<R extends Pick<Reason, 'id' | 'weight'>>(reason: R, baseline: Baseline): R {
  return { ...reason, weight: reason.weight * (0.35 + 0.65 * rarity(baseline, `r:${reason.id}`)) }
}

/** People's verdicts teach: half at the least, and a critical rule is never made smaller. */
export function trust({ severity, verdicts }: Pick<Rule, 'severity' | 'verdicts'>): number {
  if (!verdicts) return 1
  const prior = (verdicts.right + 1) / (verdicts.all + 2)
  const factor = Math.max(0.5, 0.5 + prior)
  return severity === 'critical' ? Math.max(1, factor) : factor
}

function holderOf(graph: Graph, event: Seen): Actor {
  const actor = graph.actorOf.get(event)
  if (actor) return actor
  const user =
    personOf(event.text('SubjectUserName')) ||
    personOf(event.text('TargetUserName')) ||
    personOf(event.text('User') || event.log.user)
  const session = graph.other('session', event, user === '' ? '?' : user)
  session.user ||= user
  graph.actorOf.set(event, session)
  return session
}
