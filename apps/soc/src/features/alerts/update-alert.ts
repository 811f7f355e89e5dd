import { isDeepStrictEqual } from 'node:util'
import type { Alert, AlertUpdate } from '@manara/soc-contract/alerts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { withOwnSpelling } from '../../core/identity/is-named.ts'
import { withoutRaw } from './alert-record.ts'
import { lockAlert, setAlert } from './alerts.store.ts'
import { takesUp } from './handled-by.ts'

/**
 * Any status may follow any other; who set it, and from what, is in the audit log. What is so
 * already, as for a client that lost the answer and asks again, is no change.
 */
export async function updateAlert(
  change: ChangeContext,
  asked: string,
  fields: AlertUpdate,
): Promise<Alert> {
  const before = await lockAlert(change.tx, asked)
  // Its own, however it was spelled: the audit log is asked by it.
  const { id } = before
  const wanted = await withOwnSpelling(change.tx, fields)
  const changed = (Object.keys(wanted) as (keyof AlertUpdate)[]).filter(
    (name) => !isDeepStrictEqual(before[name], wanted[name]),
  )
  const isTakenUp = before.acknowledged_by === null && takesUp(change.principal, fields.status)
  if (changed.length === 0 && !isTakenUp) return before
  const after = await setAlert(change, id, wanted)
  await change.audit({
    action: 'alert.update',
    target: `alert:${id}`,
    before: only(before, changed),
    after: only(after, changed),
  })
  await change.publish('alert.updated', withoutRaw(after))
  return after
}

function only(alert: Alert, names: (keyof AlertUpdate)[]) {
  return Object.fromEntries(names.map((name) => [name, alert[name]]))
}
