import type { LogRecord } from '@manara/log-query/event'
import type { DetectionRule } from '@manara/soc-contract/detections'
import { literalCriterion } from '@manara/soc-contract/literal-criterion'
import type { Criteria, SuppressionCreate } from '@manara/soc-contract/suppressions'
import { fieldText } from './field-text.ts'

/** What makes an event this one and not an attack elsewhere, the most telling first. */
const TELLING = ['host', 'user', 'process', 'CommandLine', 'src_ip', 'event_code', 'message']
const ENOUGH = 3
const WEEK_HOURS = 168

/** As narrow as the event allows: what is held back by mistake is not seen again. */
export function suggestSuppression(
  rule: Pick<DetectionRule, 'name'>,
  log: LogRecord,
  notes: string | null | undefined,
): SuppressionCreate {
  const known = TELLING.flatMap((name) => {
    const value = fieldText(log, name)
    return value ? [[name, literalCriterion(value)] as const] : []
  })
  const criteria: Criteria = Object.fromEntries(known.slice(0, ENOUGH))
  return {
    name: `False positive: ${rule.name}`.slice(0, 300).toWellFormed(),
    reason: (notes || `seen in event ${log.id}`).slice(0, 5_000).toWellFormed(),
    criteria,
    suppress_for_hours: WEEK_HOURS,
  }
}
