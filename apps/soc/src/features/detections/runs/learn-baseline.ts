import type { DetectionRule } from '@manara/soc-contract/detections'
import { type Kysely, sql } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { termOf } from '../domain/terms.ts'

const DAY = 86_400_000
const MOST_AT_ONCE = 5_000

/**
 * Before its first run a new_terms rule learns what was there within its look-back: else all of it
 * would be new. `before` is where that run's window begins, by the time of arrival.
 */
export async function learnBaseline(
  deps: { logs: Pick<LogStore, 'scan'>; db: Kysely<Tables> } & Pick<Changes, 'internalWorkflow'>,
  rule: DetectionRule,
  before: number,
): Promise<void> {
  const { new_terms } = rule
  if (!new_terms || (await isLearnt(deps.db, rule.id))) return
  const [query = { kind: 'all' as const }] = ruleQueries(rule, before)
  const terms = new Map<string, number>()
  const save = () => deps.internalWorkflow(({ tx }) => addTerms(tx, rule.id, terms))
  const time = { from: before - new_terms.look_back_days * DAY }
  for await (const batch of deps.logs.scan({ query, time, received: { to: before } })) {
    for (const log of batch) {
      const term = termOf(new_terms, log)
      if (term !== undefined) terms.set(term, Math.max(log.at, terms.get(term) ?? 0))
    }
    if (terms.size < MOST_AT_ONCE) continue
    await save()
    terms.clear()
  }
  await save()
  await deps.internalWorkflow(({ tx }) =>
    tx
      .updateTable('detection_rules')
      .set({ terms_learnt_at: new Date(before) })
      .where('id', '=', rule.id)
      .execute(),
  )
}

async function isLearnt(db: Kysely<Tables>, ruleId: string): Promise<boolean> {
  const row = await db
    .selectFrom('detection_rules')
    .select('terms_learnt_at')
    .where('id', '=', ruleId)
    .executeTakeFirst()
  return row?.terms_learnt_at != null
}

async function addTerms(tx: Kysely<Tables>, ruleId: string, terms: Map<string, number>) {
  const seen = [...terms.values()].map((moment) => new Date(moment))
  await sql`
    INSERT INTO detection_terms (rule_id, term, last_seen_at)
    SELECT ${ruleId}::uuid, * FROM unnest(${[...terms.keys()]}::text[], ${seen}::timestamptz[])
    ON CONFLICT (rule_id, term, first_at) DO UPDATE
      SET last_seen_at = greatest(detection_terms.last_seen_at, excluded.last_seen_at)`.execute(tx)
}
