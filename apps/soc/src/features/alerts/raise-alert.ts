import type { AlertCreate } from '@manara/soc-contract/alerts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { withoutRaw } from './alert-record.ts'
import { insertOrCount } from './alerts.store.ts'

/**
 * A new alert, or the one that is the same, counted once more. Pipelines raise theirs here too, and
 * may have seen it several times at once.
 */
export async function raiseAlert(change: ChangeContext, alert: AlertCreate, occurrences = 1) {
  const raised = await insertOrCount(change.tx, alert, occurrences)
  const { id, occurrence_count, last_seen_at } = raised.alert
  if (raised.isNew) {
    await change.audit({
      action: 'alert.create',
      target: `alert:${id}`,
      after: withoutRaw(raised.alert),
    })
    await change.publish('alert.created', withoutRaw(raised.alert))
  } else {
    await change.audit({
      action: 'alert.repeat',
      target: `alert:${id}`,
      after: { occurrence_count },
    })
    await change.publish('alert.repeated', { id, occurrence_count, last_seen_at })
  }
  return raised
}
