import { compilePredicate } from '@manara/log-query/predicate'
import type { RuleCreate } from '@manara/soc-contract/detections'
import { createDetector } from '../features/detections/domain/evaluate.ts'
import { ruleQueries } from '../features/detections/domain/rule-query.ts'
import { normalise } from '../features/siem/normalise/normalise.ts'

/** An event as it is sent: an object, or a line of text. */
type Raw = string | Record<string, unknown>
type Repeated = { repeat: number; event: Raw }
/** What happens in one try: rules about several events need several. */
export type Sample = (Raw | Repeated)[]
type SampleLog = ReturnType<typeof normalise>

/**
 * The events through the parsers, as they would be stored. One that names no time of its own comes
 * a second after the one before; `{n}` in a repeated one is its number.
 */
export function eventsOf(sample: Sample, now: number): SampleLog[] {
  const raws = sample.flatMap((one) =>
    isRepeated(one) ? Array.from({ length: one.repeat }, (_, n) => numbered(one.event, n)) : [one],
  )
  return raws
    .map((raw, index) => {
      const receivedAt = now + index * 1_000
      const incoming = typeof raw === 'string' ? { text: raw } : { object: raw, isEnvelope: true }
      return normalise(incoming, { receivedAt, way: 'api', newId: () => `sample-${index}` })
    })
    .sort((one, other) => one.at - other.at)
}

/** The events that complete a hit of the rule. */
export function hitsOf(rule: RuleCreate, events: SampleLog[], now: number): SampleLog[] {
  const matchers = ruleQueries(rule, now).map(compilePredicate)
  const detector = createDetector(rule)
  const terms = new Set<string>()
  return events.filter((log) => {
    const steps = matchers.flatMap((matches, step) => (matches(log) ? [step] : []))
    const hit = steps.length > 0 ? detector.feed(log, steps) : undefined
    if (!hit || (hit.term !== undefined && terms.has(hit.term))) return false
    if (hit.term !== undefined) terms.add(hit.term)
    return true
  })
}

const isRepeated = (one: unknown): one is Repeated =>
  typeof one === 'object' && one !== null && 'repeat' in one && 'event' in one

const numbered = (raw: Raw, n: number): Raw =>
  JSON.parse(JSON.stringify(raw).replaceAll('{n}', String(n)))
