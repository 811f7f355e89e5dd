import type { Alert, AlertUpdate } from '@manara/soc-contract/alerts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { withOwnSpelling } from '../../core/identity/is-named.ts'
import { withoutRaw } from './alert-record.ts'
import { lockAlert, setAlert } from './alerts.store.ts'

/** Any status may follow any other; who set it, and from what, is in the audit log. */
export async function updateAlert(
  change: ChangeContext,
  asked: string,
  fields: AlertUpdate,
): Promise<Alert> {
  const before = await lockAlert(change.tx, asked)
  // Its own, however it was spelled: the audit log is asked by it.
  const { id } = before
  const after = await setAlert(change, id, await withOwnSpelling(change.tx, fields))
  const changed = Object.keys(fields) as (keyof AlertUpdate)[]
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
