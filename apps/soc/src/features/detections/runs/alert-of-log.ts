import { notFound } from '@manara/kit/errors'
import type { AlertCreate } from '@manara/soc-contract/alerts'
import type { Kysely } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import type { Tables } from '../../../db/tables.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import { alertGroups } from '../domain/alert-groups.ts'
import { ruleById } from '../rules/rules.store.ts'
import { holdHits } from './hold-hits.ts'
import { type AlertRaising, asOpenAlert } from './raise-alerts.ts'

/** The alert a rule would raise from one event that somebody picked by hand; until the end no run records hits of it. */
export async function alertOfLog(
  raising: Pick<AlertRaising, 'openAlertOf'>,
  tx: Kysely<Tables>,
  ruleId: string,
  log: StoredLog,
  principal: Principal,
): Promise<AlertCreate> {
  const rule = await ruleById(tx, ruleId, principal)
  if (!(await holdHits(tx, rule.id))) throw notFound('rule', ruleId)
  const [group] = alertGroups(rule, [{ log, members: [log.id] }])
  if (!group) throw new Error('one event is one group')
  return asOpenAlert(raising, tx, rule.id, group.alert)
}
