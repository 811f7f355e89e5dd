import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type {
  DetectionRule,
  RuleCreate,
  RuleFields,
  SigmaOrigin,
} from '@manara/soc-contract/detections'
import { type Kysely, sql } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import { sharedWith } from '../../../core/identity/sharing.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { parameterColumns, RULE_COLUMNS, sigmaColumns, toRule } from './rule-record.ts'

type Db = Kysely<Tables>

/** 404 also for a rule that is not shared with the caller: its existence is not told. */
export async function ruleById(db: Db, id: string, principal: Principal): Promise<DetectionRule> {
  const row = isRecordId(id) ? await visible(db, id, principal).executeTakeFirst() : undefined
  if (!row) throw notFound('rule', id)
  return toRule(row)
}

/** As it is, and nobody else changes it until the transaction ends. */
export async function lockRule(tx: Db, id: string, principal: Principal): Promise<DetectionRule> {
  const row = isRecordId(id)
    ? await visible(tx, id, principal).forNoKeyUpdate().executeTakeFirst()
    : undefined
  if (!row) throw notFound('rule', id)
  return toRule(row)
}

export type NewRule = RuleCreate & {
  sigma: SigmaOrigin | null
  warnings: string[]
  created_by: string
}

/** `schedule` says from when on the rule is due; see domain/schedule.ts. */
export async function insertRule(tx: Db, rule: NewRule, schedule: ScheduleColumns) {
  const { sigma, warnings, created_by, threshold, new_terms, sequence, ...fields } = rule
  const row = await tx
    .insertInto('detection_rules')
    .values({
      ...fields,
      ...parameterColumns({ threshold, new_terms, sequence }),
      ...sigmaColumns(sigma),
      ...schedule,
      id: randomUUIDv7(),
      warnings,
      created_by,
    })
    .returning(RULE_COLUMNS)
    .executeTakeFirstOrThrow()
  return toRule(row)
}

export type ScheduleColumns = { next_run_at?: Date | null; covered_until?: Date | null }

export async function setRule(
  tx: Db,
  id: string,
  fields: Partial<RuleFields> & ScheduleColumns & { warnings?: string[]; sigma?: SigmaOrigin },
): Promise<DetectionRule> {
  const { next_run_at, covered_until, warnings, sigma, threshold, new_terms, sequence, ...plain } =
    fields
  const row = await tx
    .updateTable('detection_rules')
    .set({
      ...plain,
      ...parameterColumns({ threshold, new_terms, sequence }),
      ...(sigma ? sigmaColumns(sigma) : {}),
      ...(warnings ? { warnings } : {}),
      ...(next_run_at === undefined ? {} : { next_run_at }),
      ...(covered_until === undefined ? {} : { covered_until }),
      // Counted anew: the change may be the remedy.
      unrecorded_hits: sql`0`,
      capped_at: null,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returning(RULE_COLUMNS)
    .executeTakeFirstOrThrow()
  return toRule(row)
}

function visible(db: Db, id: string, principal: Principal) {
  return db
    .selectFrom('detection_rules')
    .select(RULE_COLUMNS)
    .where('id', '=', id)
    .where(sharedWith(principal))
}

/** To be learnt anew by the next run. */
export async function forgetTerms(tx: Db, ruleId: string) {
  await tx.deleteFrom('detection_terms').where('rule_id', '=', ruleId).execute()
  await tx
    .updateTable('detection_rules')
    .set({ terms_learnt_at: null })
    .where('id', '=', ruleId)
    .execute()
}
