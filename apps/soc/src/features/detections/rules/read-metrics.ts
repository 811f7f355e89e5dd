import type { DetectionMetrics } from '@manara/soc-contract/detections'
import { type Kysely, sql } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import { sharedWith } from '../../../core/identity/sharing.ts'
import type { Tables } from '../../../db/tables.ts'

const DAY = 86_400_000
const MOST_RANKED = 10

type Row = Pick<
  DetectionMetrics,
  'total_rules' | 'enabled_rules' | 'scheduled_rules' | 'rules_without_data' | 'runs_24h'
> & {
  matches_24h: number
  suppressed_24h: number
  top_rules_by_matches: DetectionMetrics['top_rules_by_matches']
  noisiest_rules: DetectionMetrics['noisiest_rules']
}

/**
 * One statement. Matches are those of the runs and, besides, what the stream found and no run has
 * counted.
 */
export async function readMetrics(
  db: Kysely<Tables>,
  principal: Principal,
  now: number,
): Promise<DetectionMetrics> {
  const since = new Date(now - DAY)
  const { rows } = await sql<Row>`
    WITH rules AS (
      SELECT id, name, enabled, schedule_enabled, source_key FROM detection_rules
      WHERE ${sharedWith(principal)}
    ),
    runs AS (
      SELECT rule_id, count(*) AS runs, sum(match_count) AS matches,
        sum(suppressed_count) AS suppressed
      FROM detection_runs WHERE started_at >= ${since} GROUP BY rule_id
    ),
    streamed AS (
      SELECT rule_id, count(*) FILTER (WHERE NOT is_held) AS matches,
        count(*) FILTER (WHERE is_held) AS suppressed
      FROM detection_hits WHERE claimed_at >= ${since} AND counted_run IS NULL
        AND event_at IS NOT NULL AND NOT is_superseded GROUP BY rule_id
    ),
    totals AS (
      SELECT rules.*, coalesce(runs.runs, 0) AS runs,
        coalesce(runs.matches, 0) + coalesce(streamed.matches, 0) AS matches,
        coalesce(runs.suppressed, 0) + coalesce(streamed.suppressed, 0) AS suppressed
      FROM rules LEFT JOIN runs ON runs.rule_id = rules.id
        LEFT JOIN streamed ON streamed.rule_id = rules.id
    ),
    noise AS (
      SELECT rules.id, rules.name, count(*) AS false_positives
      FROM detection_feedback AS feedback JOIN rules ON rules.id = feedback.rule_id
      WHERE feedback.created_at >= ${since} AND feedback.verdict = 'false_positive'
      GROUP BY rules.id, rules.name
    )
    SELECT count(*)::int AS total_rules,
      count(*) FILTER (WHERE enabled)::int AS enabled_rules,
      count(*) FILTER (WHERE enabled AND schedule_enabled)::int AS scheduled_rules,
      count(*) FILTER (WHERE enabled AND source_key IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM detection_sources AS seen WHERE seen.source_key = totals.source_key
      ))::int AS rules_without_data,
      coalesce(sum(runs), 0)::float8 AS runs_24h,
      coalesce(sum(matches), 0)::float8 AS matches_24h,
      coalesce(sum(suppressed), 0)::float8 AS suppressed_24h,
      (SELECT coalesce(json_agg(top), '[]') FROM (
        SELECT id AS rule_id, name, matches FROM totals WHERE matches > 0
        ORDER BY matches DESC, id LIMIT ${MOST_RANKED}) AS top) AS top_rules_by_matches,
      (SELECT coalesce(json_agg(top), '[]') FROM (
        SELECT id AS rule_id, name, false_positives FROM noise
        ORDER BY false_positives DESC, id LIMIT ${MOST_RANKED}) AS top) AS noisiest_rules
    FROM totals`.execute(db)
  return rows[0] as Row
}
