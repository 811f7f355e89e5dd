import type { AlertCreate } from '@manara/soc-contract/alerts'
import { seeingAll } from '../../core/access/reader.ts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { withoutRaw } from './alert-record.ts'
import { insertOrCount } from './alerts.store.ts'
import type { NoteInCases } from './link-alert.ts'

/**
 * A new alert, or the one that is the same, counted once more. One that was settled is open again:
 * only a suppression silences. Pipelines raise theirs here too, and may have seen it several times
 * at once.
 */
export async function raiseAlert(
  noteInCases: NoteInCases,
  change: ChangeContext,
  alert: AlertCreate,
  occurrences = 1,
) {
  const raised = await insertOrCount(change.tx, alert, occurrences)
  const { id, occurrence_count, last_seen_at } = raised.alert
  const target = `alert:${id}`
  if (raised.isNew) {
    await change.audit({ action: 'alert.create', target, after: withoutRaw(raised.alert) })
    await change.publish('alert.created', withoutRaw(raised.alert))
    return raised
  }
  await change.audit({ action: 'alert.repeat', target, after: { occurrence_count } })
  await change.publish('alert.repeated', { id, occurrence_count, last_seen_at })
  if (raised.isReopened) await tellReopened(noteInCases, change, raised.alert)
  return raised
}

type Raised = Awaited<ReturnType<typeof insertOrCount>>['alert']

async function tellReopened(noteInCases: NoteInCases, change: ChangeContext, alert: Raised) {
  const { id, status, closed_by, closed_at, reopened_count } = alert
  await change.audit({
    action: 'alert.reopen',
    target: `alert:${id}`,
    before: { closed_by, closed_at },
    after: { status, reopened_count },
  })
  await change.publish('alert.reopened', withoutRaw(alert))
  const { case_id } = await change.tx
    .selectFrom('alerts')
    .select('case_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (case_id === null) return
  const who = closed_by === null ? '' : ` by ${closed_by}`
  const action = `alert ${id} came again and is open, after it was closed${who} at ${closed_at ?? 'an unknown time'}`
  // Whoever reports it may not know the case; those who work on it have to hear of it.
  await seeingAll(() => noteInCases(change, [{ caseId: case_id, action }]))
}
