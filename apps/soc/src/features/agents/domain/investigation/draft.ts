import type {
  Cites,
  Conclusion,
  Finding,
  InvestigatedActor,
  Verdict,
} from '@manara/soc-contract/investigation'
import { personOf } from './evidence/names.ts'
import type { Seen } from './evidence/seen.ts'
import type { Story } from './investigate.ts'
import { plainText } from './plain-text.ts'
import type { Actor, Reason } from './story/actor.ts'

/** What a story says by itself, before anything around it was looked at. */
export type Draft = Pick<
  Conclusion,
  | 'verdict'
  | 'confidence'
  | 'confidence_reasons'
  | 'score'
  | 'hosts'
  | 'users'
  | 'initiator'
  | 'root'
  | 'findings'
  | 'timeline'
> & { techniques: Omit<Conclusion['techniques'][number], 'name'>[] }

const ATTACK = 30
const SUSPICIOUS = 12
const MOST_FINDINGS = 200
const MOST_LINES = 1_000

/** Which alert tells of a rule and an event. */
export type AlertOf = (ruleId: string, logId: string) => string | undefined

export function draftOf(story: Story | undefined, isPartial: boolean, alertOf: AlertOf): Draft {
  if (!story) return { ...NOTHING, confidence: isPartial ? 0.33 : 0.5 }
  const score = rounded(story.score)
  const verdict: Verdict =
    score >= ATTACK ? 'attack' : score >= SUSPICIOUS ? 'suspicious' : 'nothing_found'
  const sure = 1 - Math.exp(-score / 60)
  const findings = findingsOf(story, alertOf)
  return {
    verdict,
    score,
    confidence: rounded(isPartial ? (sure * 2) / 3 : sure),
    confidence_reasons: [
      `the strongest actor scores ${score}; ${ATTACK} is called an attack, ${SUSPICIOUS} suspicious`,
      ...findings.slice(0, 3).map(({ claim, weight }) => `${claim} (${weight})`),
      ...(isPartial ? ['a third less, since not all was looked at'] : []),
    ],
    hosts: story.hosts,
    users: story.users,
    initiator: story.initiator ? actorOf(story.initiator) : null,
    root: actorOf(story.root),
    techniques: story.techniques.map(({ id, weight, reasons }) => ({
      id,
      weight: rounded(weight),
      cites: citesOf(reasons, alertOf),
    })),
    findings,
    timeline: story.timeline.slice(0, MOST_LINES).map((event) => ({
      at: new Date(event.at).toISOString(),
      host: event.host,
      what: tell(event, story),
      log_id: event.id,
    })),
  }
}

const NOTHING: Draft = {
  verdict: 'nothing_found',
  confidence: 0.5,
  confidence_reasons: ['nothing in the window weighs enough to be called suspicious'],
  score: 0,
  hosts: [],
  users: [],
  initiator: null,
  root: null,
  techniques: [],
  findings: [],
  timeline: [],
}

const rounded = (value: number) => Math.round(value * 100) / 100

function findingsOf(story: Story, alertOf: AlertOf): Finding[] {
  return story.parts
    .flatMap((part) => [...part.reasons.values()].map((reason) => ({ part, reason })))
    .sort(
      (a, b) =>
        b.reason.weight - a.reason.weight ||
        (a.part.key + a.reason.id < b.part.key + b.reason.id ? -1 : 1),
    )
    .slice(0, MOST_FINDINGS)
    .map(({ part, reason }) => ({
      claim: plainText(`${nameOf(part)}: ${reason.why}`, 500),
      weight: rounded(reason.weight),
      host: part.host || null,
      user: part.user || null,
      process: part.kind === 'process' ? part.name : null,
      techniques: [...reason.techniques],
      cites: citesOf([reason], alertOf),
    }))
}

const MOST_CITED = 20

function citesOf(reasons: Reason[], alertOf: AlertOf): Cites {
  const log_ids = new Set<string>()
  const alert_ids = new Set<string>()
  const rule_ids = new Set<string>()
  for (const { events, rule } of reasons) {
    if (rule) rule_ids.add(rule.id)
    for (const { id } of events) {
      if (log_ids.size < MOST_CITED) log_ids.add(id)
      const alert = rule ? alertOf(rule.id, id) : undefined
      if (alert) alert_ids.add(alert)
    }
  }
  return { log_ids: [...log_ids], alert_ids: [...alert_ids], rule_ids: [...rule_ids] }
}

function nameOf(actor: Actor): string {
  const on = actor.host === '' ? '' : ` on ${actor.host}`
  const as = actor.user === '' ? '' : ` as ${actor.user}`
  switch (actor.kind) {
    case 'process':
      return `${actor.name}${on}${as}`
    case 'session':
      return actor.user === '' ? `somebody${on}` : `${actor.user}${on}`
    case 'subscription':
      return `a WMI subscription${on}${as}`
    case 'address':
      return `${actor.name}${on === '' ? '' : ` at ${actor.host}`}`
  }
}

function actorOf(actor: Actor): InvestigatedActor {
  const isProcess = actor.kind === 'process'
  return {
    kind: actor.kind,
    host: actor.host,
    user: actor.user || null,
    process: isProcess ? actor.name : null,
    pid: isProcess && actor.pid > 0 ? actor.pid : null,
    image: (isProcess && plainText(actor.image, 1_000)) || null,
    command_line: plainText(actor.command, 2_000) || null,
    address: actor.kind === 'address' ? actor.name : null,
    first_seen_at: new Date(actor.at).toISOString(),
    score: rounded(actor.score),
  }
}

/** One line of a timeline. */
function tell(event: Seen, { graph, parts }: Story): string {
  const actor = graph.actorOf.get(event)
  const who = actor ? nameOf(actor) : ''
  const isWindows = event.kind === 'sysmon' || event.kind === 'security'
  if (isWindows && (event.code === 1 || event.code === 4688)) {
    return plainText(`${who} started: ${event.text('CommandLine')}`)
  }
  if (isWindows && (event.code === 5 || event.code === 4689)) return plainText(`${who} ended`)
  if (event.code === 4624 && event.kind === 'security') {
    const user = personOf(event.text('TargetUserName'))
    return plainText(`${user} signed in to ${event.host} from ${event.text('IpAddress')}`)
  }
  const holder = actor ?? parts.find((part) => isShownBy(part, event))
  const why = holder ? whyOf(holder, event) : undefined
  if (why) return plainText(`${who || nameOf(holder as Actor)}: ${why}`)
  return plainText(`${who === '' ? '' : `${who}: `}${event.log.message}`)
}

const isShownBy = (part: Actor, event: Seen) =>
  [...part.reasons.values()].some(({ events }) => events.includes(event))

const whyOf = (actor: Actor, event: Seen) =>
  [...actor.reasons.values()].find(({ events }) => events.includes(event))?.why
