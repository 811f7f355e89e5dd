import type { DetectionRule } from '@manara/soc-contract/detections'
import type { Detector } from './detector.ts'
import { createSequence } from './sequence.ts'
import { termOf } from './terms.ts'
import { createThreshold } from './threshold.ts'

export type RuleParameters = Pick<DetectionRule, 'kind' | 'threshold' | 'new_terms' | 'sequence'>

export type { Detector, Hit } from './detector.ts'

export function createDetector(rule: RuleParameters): Detector {
  const { kind, threshold, new_terms, sequence } = rule
  if (kind === 'threshold' && threshold) return createThreshold(threshold)
  if (kind === 'sequence' && sequence) return createSequence(sequence)
  if (kind === 'new_terms' && new_terms) {
    return {
      feed(log) {
        const term = termOf(new_terms, log)
        return term === undefined ? undefined : { log, members: [log.id], term }
      },
    }
  }
  return { feed: (log) => ({ log, members: [log.id] }) }
}

/** How far before an event others decide whether it is a hit; 0 when it stands alone. */
export function lookBackMs({ kind, threshold, sequence }: RuleParameters): number {
  if (kind === 'threshold' && threshold) return 2_000 * threshold.window_seconds
  if (kind === 'sequence' && sequence) {
    const counted = sequence.steps.map((step) => step.threshold?.window_seconds ?? 0)
    return 2_000 * sequence.window_seconds + 1_000 * Math.max(...counted)
  }
  return 0
}
