import type { DetectionRule, RuleFields } from '@manara/soc-contract/detections'

/** What the checks of a rule say, and say anew at every change. */
const OF_CHECKS =
  /^(?:no event has a field "|unknown placeholder \{|technique \S+ was replaced by )/
/** Of a rule that only a correlation counts. */
const IS_OFF = /^is off: /

/** What an import's notes are about. */
const MEANING = ['query', 'kind', 'threshold', 'new_terms', 'sequence'] as const

/** What an import said of a rule, as far as it holds after a change: until the rule asks another thing. */
export function notesAfter(
  before: Pick<DetectionRule, 'warnings' | (typeof MEANING)[number]>,
  asked: Pick<RuleFields, 'enabled' | (typeof MEANING)[number]>,
): string[] {
  const isOther = MEANING.some(
    (name) => JSON.stringify(asked[name] ?? null) !== JSON.stringify(before[name] ?? null),
  )
  if (isOther) return []
  return before.warnings.filter(
    (note) => !OF_CHECKS.test(note) && !(asked.enabled && IS_OFF.test(note)),
  )
}
