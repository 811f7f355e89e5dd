import { type Kysely, sql } from 'kysely'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'

/** From what people said about the rule, and about the alerts a draft would have raised too. */
export async function estimateFalsePositives(
  db: Kysely<Tables>,
  asked: { ruleId: string | undefined; alertIds: string[]; matches: number },
) {
  const { rows } = await sql<{ verdicts: string; wrong: string }>`
    SELECT count(*) AS verdicts, count(*) FILTER (WHERE verdict = 'false_positive') AS wrong
    FROM detection_feedback
    WHERE verdict IN ('true_positive', 'false_positive')
      AND (alert_id = ANY(${asked.alertIds}::text[])
        OR rule_id = ${asked.ruleId && isRecordId(asked.ruleId) ? asked.ruleId : null}::uuid)`.execute(
    db,
  )
  const verdicts = Number(rows[0]?.verdicts ?? 0)
  const rate = verdicts === 0 ? null : Number(rows[0]?.wrong ?? 0) / verdicts
  return {
    feedback_count: verdicts,
    estimated_false_positive_rate: rate,
    estimated_false_positives: rate === null ? null : Math.round(rate * asked.matches),
  }
}
