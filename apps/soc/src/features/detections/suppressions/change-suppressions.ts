import type {
  Suppression,
  SuppressionCreate,
  SuppressionUpdate,
} from '@manara/soc-contract/suppressions'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { ruleById } from '../rules/rules.store.ts'
import { expiry, insertSuppression, suppressionById, toSuppression } from './suppressions.store.ts'

type Ids = { rule_id: string; suppression_id: string }

export async function createSuppression(
  change: ChangeContext,
  ruleId: string,
  body: SuppressionCreate,
  now: number,
): Promise<Suppression> {
  const rule = await ruleById(change.tx, ruleId, change.principal)
  const created_by = change.principal.username
  const made = await insertSuppression(change.tx, { ...body, rule_id: rule.id, created_by }, now)
  await change.audit({
    action: 'suppression.create',
    target: `suppression:${made.id}`,
    after: made,
  })
  return made
}

export async function updateSuppression(
  change: ChangeContext,
  ids: Ids,
  { criteria, suppress_for_hours, ...body }: SuppressionUpdate,
  now: number,
): Promise<Suppression> {
  const before = await lock(change, ids)
  const row = await change.tx
    .updateTable('detection_suppressions')
    .set({
      ...body,
      ...(criteria ? { criteria: JSON.stringify(criteria) } : {}),
      ...(suppress_for_hours
        ? { suppress_for_hours, expires_at: expiry(suppress_for_hours, now) }
        : {}),
      updated_at: sql`now()`,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = toSuppression(row, now)
  await change.audit({
    action: 'suppression.update',
    target: `suppression:${after.id}`,
    before: toSuppression(before, now),
    after,
  })
  return after
}

export async function deleteSuppression(change: ChangeContext, ids: Ids) {
  const before = await lock(change, ids)
  await change.tx.deleteFrom('detection_suppressions').where('id', '=', before.id).execute()
  await change.audit({ action: 'suppression.delete', target: `suppression:${before.id}`, before })
  return { deleted: true as const, id: before.id }
}

async function lock(change: ChangeContext, ids: Ids) {
  const rule = await ruleById(change.tx, ids.rule_id, change.principal)
  return suppressionById(change.tx, rule.id, ids.suppression_id, { lock: true })
}
