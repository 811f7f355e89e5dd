import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type {
  CorrelationRule,
  CorrelationRuleCreate,
  CorrelationRuleListQuery,
  CorrelationRuleUpdate,
} from '@manara/soc-contract/correlations'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>
/** A rule without how many correlations it has found, which takes counting them. */
export type StoredRule = Omit<CorrelationRule, 'correlation_count'>

const rules = (db: Db) => db.selectFrom('correlation_rules').selectAll()

export async function ruleById(db: Db, id: string): Promise<CorrelationRule> {
  const row = isRecordId(id) ? await rules(db).where('id', '=', id).executeTakeFirst() : undefined
  if (!row) throw notFound('correlation rule', id)
  return counted(row, await foundBy(db, id))
}

export const enabledRules = async (db: Db): Promise<StoredRule[]> =>
  (await rules(db).where('enabled', '=', true).orderBy('id').execute()).map(toRule)

export async function listRules(db: Db, query: CorrelationRuleListQuery) {
  const found = await foundBy(db)
  return readPage(query, inTime(query.sort, query.order), rules(db), (row) => counted(row, found))
}

/** How many each rule has found, all of them in one pass. */
async function foundBy(db: Db, only?: string): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom('correlations')
    .select(['rule_id', sql<number>`count(*)::integer`.as('found')])
    .$if(only !== undefined, (all) => all.where('rule_id', '=', only as string))
    .groupBy('rule_id')
    .execute()
  return new Map(rows.map(({ rule_id, found }) => [rule_id, found]))
}

export async function createRule(change: ChangeContext, body: CorrelationRuleCreate) {
  const { tx, principal } = change
  const id = randomUUIDv7()
  await tx
    .insertInto('correlation_rules')
    .values({ ...stored(body), id, created_by: principal.username })
    .execute()
  const after = await ruleById(tx, id)
  await change.audit({ action: 'correlation_rule.create', target: `correlation_rule:${id}`, after })
  await change.publish('correlation.rule_changed', after)
  return after
}

/** It counts from the next signal on; what was found before stays. */
export async function updateRule(
  change: ChangeContext,
  asked: string,
  body: CorrelationRuleUpdate,
) {
  const { tx } = change
  const before = await ruleById(tx, asked)
  const { id } = before
  const { name, description, enabled, severity, same, within_minutes, anchor, others } = {
    ...before,
    ...(body as CorrelationRuleCreate),
  }
  await tx
    .updateTable('correlation_rules')
    .set(stored({ name, description, enabled, severity, same, within_minutes, anchor, others }))
    .set({ updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  const after = await ruleById(tx, id)
  const target = `correlation_rule:${id}`
  await change.audit({ action: 'correlation_rule.update', target, before, after })
  await change.publish('correlation.rule_changed', after)
  return after
}

/** What it has found stays, without a rule. */
export async function deleteRule(change: ChangeContext, asked: string) {
  const before = await ruleById(change.tx, asked)
  const { id } = before
  await change.tx.deleteFrom('correlation_rules').where('id', '=', id).execute()
  const target = `correlation_rule:${id}`
  await change.audit({ action: 'correlation_rule.delete', target, before })
  await change.publish('correlation.rule_deleted', { id })
  return { deleted: true as const, id }
}

const stored = (rule: CorrelationRuleCreate) => ({
  ...rule,
  anchor: JSON.stringify(rule.anchor),
  others: JSON.stringify(rule.others),
})

const toRule = (row: Selectable<Tables['correlation_rules']>): StoredRule => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const counted = (
  row: Selectable<Tables['correlation_rules']>,
  found: Map<string | null, number>,
): CorrelationRule => ({ ...toRule(row), correlation_count: found.get(row.id) ?? 0 })
