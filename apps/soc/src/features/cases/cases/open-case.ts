import { randomUUIDv7 } from 'node:crypto'
import type { CaseCreate, CaseDetail } from '@manara/soc-contract/cases'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { withOwnSpelling } from '../../../core/identity/is-named.ts'
import { observableType } from '../domain/observable-type.ts'
import { addObservable } from '../parts/add-observable.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { requireUsers } from './case-access.ts'
import { note } from './cases.store.ts'
import { caseDetail } from './read-case.ts'

/** The case, its links and its first timeline entries together: half of it never exists. */
export async function openCase(
  alerts: AlertsOfCases,
  change: ChangeContext,
  body: CaseCreate,
): Promise<CaseDetail> {
  const { alert_ids, access, ...fields } = body
  if (access) await requireUsers(change.tx, access)
  const id = randomUUIDv7()
  await change.tx
    .insertInto('cases')
    .values({
      ...(await withOwnSpelling(change.tx, fields)),
      ...(access ? { access: JSON.stringify(access) } : {}),
      id,
      status: 'open',
      created_by: change.principal.username,
    })
    .execute()
  const linked = await alerts.linkAlerts(change, id, alert_ids)
  await note(change, id, 'case created', ...linked.map((alertId) => `alert ${alertId} linked`))
  for (const { alert_id, value } of await alerts.indicatorsOf(change.tx, linked)) {
    await addObservable(change, id, {
      type: observableType(value),
      value,
      source: 'alert',
      tags: [],
      context: { alert_id },
    })
  }

  const detail = await caseDetail(alerts, change.tx, id)
  const { timeline, observables, evidence, comments, tasks, ...record } = detail
  await change.audit({ action: 'case.create', target: `case:${id}`, after: record })
  await change.publish('case.created', record)
  return detail
}
