import { giveBack } from '@manara/kit/give-back'
import { answerCalls, workInBackground } from '@manara/kit/thread/answer-calls'
import { type LogLines, logsIn } from '../../../core/arrivals/log-lines.ts'
import type { Hits, Matches } from '../../../core/arrivals/matched.ts'
import { createRuleSet, type Found, type MatchRule, type Unusable } from './rule-set.ts'

/** Events come as bytes: V8 copies those far quicker than an object of many. */
export type MatcherCalls = {
  set(rules: MatchRule[], now: number): Unusable[]
  delete(ids: string[]): void
  match(lines: LogLines): Matches & { hits: Hits }
  detect(lines: LogLines): Found[]
}

workInBackground()

const rules = createRuleSet()

answerCalls<MatcherCalls>({
  set: ([changed, now]) => rules.set(changed, now),
  delete: ([ids]) => rules.delete(ids),
  match([lines]) {
    const hits: Hits = {}
    const matches = rules.match(logsIn(lines), (place, log) => {
      hits[place] = log
    })
    giveBack(lines)
    return { ...matches, hits }
  },
  detect: ([lines]) => rules.detect(logsIn(lines)),
})
