import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { lockRule } from './rules.store.ts'

/** With its runs, suppressions and feedback; alerts and cases stay and keep naming it. */
export async function deleteRule(change: ChangeContext, ruleId: string) {
  const { id, name, query, tags } = await lockRule(change.tx, ruleId, change.principal)
  await change.tx.deleteFrom('detection_rules').where('id', '=', id).execute()
  await change.audit({ action: 'rule.delete', target: `rule:${id}`, before: { name, query, tags } })
  return { deleted: true as const, id }
}
