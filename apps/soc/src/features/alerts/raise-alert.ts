import type { Alert, AlertCreate } from '@manara/soc-contract/alerts'
import { seeingAll } from '../../core/access/reader.ts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { toAlert, withoutRaw } from './alert-record.ts'
import { dedupHash } from './domain/dedup-hash.ts'
import { insertOrCount } from './insert-or-count.ts'
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
  const hash = dedupHash(alert)
  const rows = await insertOrCount(change.tx, [{ alert, hash, occurrences }])
  const { row, isNew, isReopened } = rows.get(hash) as Stored
  const raised = { alert: toAlert(row), isNew, isReopened }
  await tellRaised(noteInCases, change, raised)
  return raised
}

type Stored = Awaited<ReturnType<typeof insertOrCount>> extends Map<string, infer S> ? S : never

export type Raised = { alert: Alert; isNew: boolean; isReopened: boolean }

/** Its audit row and its event. */
export async function tellRaised(noteInCases: NoteInCases, change: ChangeContext, raised: Raised) {
  const { id, occurrence_count, last_seen_at } = raised.alert
  const target = `alert:${id}`
  if (raised.isNew) {
    const told = withoutRaw(raised.alert)
    await change.audit({ action: 'alert.create', target, after: told })
    await change.publish('alert.created', told)
    return
  }
  await change.audit({ action: 'alert.repeat', target, after: { occurrence_count } })
  await change.publish('alert.repeated', { id, occurrence_count, last_seen_at })
  if (raised.isReopened) await tellReopened(noteInCases, change, raised.alert)
}

async function tellReopened(noteInCases: NoteInCases, change: ChangeContext, alert: Alert) {
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
