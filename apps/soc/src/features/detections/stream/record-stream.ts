import type { Logger } from '@manara/kit/logging'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { isTemporary } from '../../../db/connection-failure.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { Hit } from '../domain/evaluate.ts'
import type { AlertRaising } from '../runs/raise-alerts.ts'
import { recordHits } from '../runs/record-hits.ts'
import type { Settled } from '../runs/scan-rules.ts'

export type RecordDeps = {
  raising: AlertRaising
  now(): number
  log: Pick<Logger, 'error'>
} & Pick<Changes, 'internalWorkflow'>

export type HitsOfOne = {
  rule: DetectionRule
  hits: Hit<StoredLog>[]
  settled?: Settled | undefined
}

/**
 * All of a batch in one transaction. Should that fail for another reason than that an engine is
 * away, each rule by itself: one that cannot be recorded must not hold up the others for ever.
 */
export async function recordStream(
  deps: RecordDeps,
  found: HitsOfOne[],
  onRecorded: (ruleId: string, fresh: number) => void = () => {},
): Promise<void> {
  if (found.length === 0) return
  const now = deps.now()
  const record = (change: ChangeContext, { rule, hits, settled }: HitsOfOne) =>
    recordHits(deps.raising, change, { rule, hits, settled, trigger: 'stream', now })
  try {
    const recorded = await deps.internalWorkflow(async (change) => {
      const fresh: [ruleId: string, fresh: number][] = []
      for (const one of found) fresh.push([one.rule.id, (await record(change, one)).fresh])
      return fresh
    })
    for (const [ruleId, fresh] of recorded) onRecorded(ruleId, fresh)
  } catch (error) {
    if (isTemporary(error)) throw error
    for (const one of found) {
      await deps
        .internalWorkflow((change) => record(change, one))
        .then(({ fresh }) => onRecorded(one.rule.id, fresh))
        .catch((failure: unknown) => {
          if (isTemporary(failure)) throw failure
          deps.log.error({ err: failure, rule: one.rule.id }, 'hits of a rule were not recorded')
        })
    }
  }
}
