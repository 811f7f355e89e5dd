import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import type { StoredLog } from '../../../ports/log-store.ts'
import { type Hits, hitsOf } from './hits.ts'
import {
  createRuleSet,
  type Found,
  type Matches,
  type MatchRule,
  type Unusable,
} from './rule-set.ts'

/** Logs come as text: V8 copies one string far quicker than an object of many. */
export type MatcherCalls = {
  set(rules: MatchRule[], now: number): Unusable[]
  delete(ids: string[]): void
  match(logs: string): Matches & { hits: Hits }
  detect(logs: string): Found[]
}

workInBackground()

const rules = createRuleSet()

answerCalls<MatcherCalls>({
  set: ([changed, now]) => rules.set(changed, now),
  delete: ([ids]) => rules.delete(ids),
  match([text]) {
    const logs = JSON.parse(text) as StoredLog[]
    const matches = rules.match(logs)
    return { ...matches, hits: hitsOf(matches.found, logs) }
  },
  detect: ([logs]) => rules.detect(JSON.parse(logs)),
})
