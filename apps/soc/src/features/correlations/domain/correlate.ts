import type { CorrelationEvidence, FoundCorrelation } from '@manara/soc-contract/correlations'
import type { CorrelatingRule } from './rule.ts'
import { matches, type Signal } from './signal.ts'
import { wordsOf } from './words.ts'

/** What was found, and what makes it the same when it is found again. */
export type Correlated = { found: FoundCorrelation; key: string }

const MOST_EVIDENCE = 100
const MOST_COUNTED = 1_000
const MINUTE = 60_000

/**
 * Every anchor with what lies around it in the same place, each anchor once. It is a function of the
 * signals alone: in whatever order they came, and however often it is asked, the answer is the same.
 */
export const correlate = (rule: CorrelatingRule, signals: Signal[]): Correlated[] =>
  [...correlating(rule, signals)].flatMap((found) => found ?? [])

/** The same one anchor after the other, undefined for one that stands alone: it may be much work. */
export function* correlating(
  rule: CorrelatingRule,
  signals: Signal[],
): Generator<Correlated | undefined> {
  for (const [place, together] of groupsOf(rule, signals)) {
    const others = rule.others.map((condition) => ({
      ...condition,
      signals: together.filter((one) => matches(one, condition)),
    }))
    if (others.some((other) => other.signals.length === 0)) continue
    const anchors = anchorsOf(together.filter((one) => matches(one, rule.anchor)))
    for (const [anchorId, moments] of anchors) {
      const evidence = evidenceAround(rule, moments, others)
      yield evidence.length === 0
        ? undefined
        : { key: `${place} ${anchorId}`, found: describe(rule, evidence, together) }
    }
  }
}

/** Those that the rule could join with others: of a kind it names, at a place it asks for. */
export const concerning = ({ same, anchor, others }: CorrelatingRule, signals: Signal[]) =>
  signals.filter(
    (one) =>
      isPlaced(one, same) && [anchor, ...others].some((condition) => matches(one, condition)),
  )

/** The same twice, found at different times, is all of it together. */
export function joined(
  rule: CorrelatingRule,
  before: CorrelationEvidence[],
  now: FoundCorrelation,
): FoundCorrelation {
  const evidence = withAnchor(inTime(uniqueOf([...before, ...now.evidence])))
  const count = Math.max(now.evidence_count, evidence.length)
  return { ...now, ...summary(rule, evidence, count, now) }
}

/** By place, each in time. */
function groupsOf({ same }: CorrelatingRule, signals: Signal[]): Map<string, Signal[]> {
  const placed = signals
    .filter((signal) => isPlaced(signal, same))
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map((signal) => ({ signal, values: same.flatMap((what) => placeOf(signal, what)) }))
  const groups = Map.groupBy(placed, ({ values }) => JSON.stringify(values))
  return new Map(
    [...groups]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([place, group]) => [place, group.map(({ signal }) => signal)]),
  )
}

const PLACES = {
  site: ({ site_id }: Signal) => [site_id],
  // Many sites have a zone of that name.
  zone: ({ site_id, zone }: Signal) => [site_id, zone],
  host: ({ host }: Signal) => [host?.toLowerCase() ?? null],
} as const

const placeOf = (signal: Signal, what: keyof typeof PLACES) => PLACES[what](signal)

const isPlaced = (signal: Signal, same: CorrelatingRule['same']) =>
  same.every((what) => placeOf(signal, what).every((value) => value !== null))

/** An anchor of a day: what goes on tomorrow is another correlation. */
const anchorsOf = (signals: Signal[]) =>
  Map.groupBy(signals, (one) => `${subjectOf(one)} ${new Date(one.at).toISOString().slice(0, 10)}`)

const subjectOf = ({ kind, subject }: Pick<Signal, 'kind' | 'subject'>) => `${kind}:${subject}`

type Others = CorrelatingRule['others'][number] & { signals: Signal[] }

/** Of every moment of the anchor at which all others are there; empty when there is none. */
function evidenceAround(rule: CorrelatingRule, moments: Signal[], others: Others[]) {
  const evidence: CorrelationEvidence[] = []
  for (const anchor of moments) {
    const around = others.map((other) => {
      const near = nearTo(anchor, other, rule.within_minutes * MINUTE)
      return new Set(near.map(subjectOf)).size >= other.at_least ? near : []
    })
    if (around.some((near) => near.length === 0)) continue
    evidence.push(partOf(anchor, 'anchor'), ...around.flat().map((one) => partOf(one, 'other')))
  }
  return inTime(uniqueOf(evidence))
}

/** The first thousand of them: who is in the middle of more has other worries. */
function nearTo(anchor: Signal, { when, other_host, signals }: Others, span: number): Signal[] {
  const from = when === 'after' ? anchor.at : anchor.at - span
  const to = when === 'before' ? anchor.at : anchor.at + span
  const near: Signal[] = []
  for (let at = firstFrom(signals, from); near.length < MOST_COUNTED; at += 1) {
    const signal = signals[at]
    if (!signal || signal.at > to) break
    const isElsewhere = !other_host || !isSameHost(signal, anchor)
    if (subjectOf(signal) !== subjectOf(anchor) && isElsewhere) near.push(signal)
  }
  return near
}

const isSameHost = (a: Signal, b: Signal) =>
  a.host !== null && a.host.toLowerCase() === b.host?.toLowerCase()

/** Where in time the first one at or after `from` is. */
function firstFrom(signals: Signal[], from: number): number {
  let low = 0
  let high = signals.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((signals[middle]?.at ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}

const partOf = (signal: Signal, role: CorrelationEvidence['role']): CorrelationEvidence => ({
  kind: signal.kind,
  id: signal.id,
  subject: signal.subject,
  role,
  at: new Date(signal.at).toISOString(),
  title: signal.title,
  host: signal.host,
})

/** Each subject once, by the first of its moments; the anchor stays the anchor. */
function uniqueOf(evidence: CorrelationEvidence[]): CorrelationEvidence[] {
  const bySubject = new Map<string, CorrelationEvidence>()
  for (const one of evidence) {
    const known = bySubject.get(subjectOf(one))
    if (!known) bySubject.set(subjectOf(one), one)
    else if (isEarlier(one, known))
      bySubject.set(subjectOf(one), { ...one, role: roleOf(one, known) })
  }
  return [...bySubject.values()]
}

const isEarlier = (a: CorrelationEvidence, b: CorrelationEvidence) =>
  a.at === b.at ? a.id < b.id : a.at < b.at

const roleOf = (a: CorrelationEvidence, b: CorrelationEvidence) =>
  a.role === 'anchor' || b.role === 'anchor' ? 'anchor' : 'other'

const inTime = (evidence: CorrelationEvidence[]) =>
  evidence.toSorted((a, b) => (isEarlier(a, b) ? -1 : 1))

function describe(
  rule: CorrelatingRule,
  evidence: CorrelationEvidence[],
  together: Signal[],
): FoundCorrelation {
  const [somewhere] = together
  const place = {
    site_id:
      rule.same.includes('site') || rule.same.includes('zone') ? common(somewhere?.site_id) : null,
    zone: rule.same.includes('zone') ? common(somewhere?.zone) : null,
    host: rule.same.includes('host') ? common(somewhere?.host) : null,
  }
  const shown = withAnchor(evidence)
  return {
    rule_name: rule.name,
    severity: rule.severity,
    ...place,
    ...summary(rule, shown, evidence.length, place),
  }
}

const common = (value: string | null | undefined) => value ?? null

/** Of more than can be shown the anchor is one. */
function withAnchor(evidence: CorrelationEvidence[]): CorrelationEvidence[] {
  if (evidence.length <= MOST_EVIDENCE) return evidence
  const anchors = evidence.filter(({ role }) => role === 'anchor')
  const others = evidence.filter(({ role }) => role === 'other')
  return inTime([...anchors, ...others.slice(0, MOST_EVIDENCE - anchors.length)])
}

function summary(
  rule: CorrelatingRule,
  evidence: CorrelationEvidence[],
  count: number,
  place: Pick<FoundCorrelation, 'site_id' | 'zone' | 'host'>,
) {
  return {
    ...wordsOf(rule, evidence, count, place),
    first_at: evidence[0]?.at ?? '',
    last_at: evidence.at(-1)?.at ?? '',
    evidence,
    evidence_count: count,
  }
}
