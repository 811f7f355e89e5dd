import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

const DAY = 86_400_000

/**
 * Hits keep an event from raising an alert again: as long as somebody may look at it again. Runs
 * that found nothing are of interest for a week.
 */
const HITS_DAYS = 90
const RUNS_DAYS = 90
const EMPTY_RUNS_DAYS = 7

export async function tidyDetections(db: Kysely<Tables>, now: number): Promise<boolean> {
  const before = (days: number) => new Date(now - days * DAY)
  await sql`DELETE FROM detection_hits WHERE claimed_at < ${before(HITS_DAYS)}`.execute(db)
  await sql`
    DELETE FROM detection_runs WHERE started_at < ${before(RUNS_DAYS)}
      OR (started_at < ${before(EMPTY_RUNS_DAYS)} AND status = 'completed'
        AND match_count = 0 AND suppressed_count = 0)`.execute(db)
  await sql`
    DELETE FROM detection_terms AS term USING detection_rules AS rule
    WHERE rule.id = term.rule_id AND rule.new_terms IS NOT NULL
      AND term.last_seen_at < ${new Date(now)}::timestamptz
        - make_interval(days => (rule.new_terms->>'look_back_days')::int + 1)`.execute(db)
  return false
}
