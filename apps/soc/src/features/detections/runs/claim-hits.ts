import type { LogRecord } from '@manara/log-query/event'
import type { DetectionRule, RunTrigger } from '@manara/soc-contract/detections'
import { storable } from '@manara/soc-contract/storable'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Hit } from '../domain/evaluate.ts'

/** Who found the hits: the stream, or a run that is not recorded yet. */
export type Finder = { trigger: 'stream' } | { trigger: RunTrigger; runId: string }

type Claim<Log extends LogRecord> = {
  rule: Pick<DetectionRule, 'id'>
  finder: Finder
  hits: Hit<Log>[]
  isHeld: boolean
  now: number
}

/**
 * `fresh` are claimed for the first time: they raise alerts, or are held back. What a suppression
 * held and no longer holds is fresh too. `counted` go into the run's count: all of a manual run, of
 * a scheduled one what no scheduled run before it has counted, since windows overlap. A run that
 * was never recorded, because its process died, has counted nothing.
 */
export async function claimHits<Log extends LogRecord>(tx: Kysely<Tables>, claim: Claim<Log>) {
  const { finder, hits, isHeld, rule } = claim
  if (hits.length === 0) return { fresh: [], counted: [] }
  const runId = finder.trigger === 'stream' ? null : finder.runId
  const isCountedBySchedule = sql<boolean>`EXISTS (SELECT 1 FROM detection_runs AS run
    WHERE run.id = hit.counted_run AND run.trigger_mode = 'scheduled')`
  const { rows } = await sql<{ log_id: string; is_fresh: boolean; is_counted: boolean }>`
    WITH found AS (
      SELECT DISTINCT ON (log_id) log_id, event_at
      FROM unnest(${hits.map(idOf)}::text[], ${hits.map(({ log }) => new Date(log.at))}::timestamptz[])
        AS hit(log_id, event_at)
    ),
    known AS (
      SELECT log_id, hit.is_held, ${isCountedBySchedule} AS is_scheduled
      FROM detection_hits AS hit JOIN found USING (log_id) WHERE hit.rule_id = ${rule.id}
    ),
    claimed AS (
      INSERT INTO detection_hits AS hit
        (rule_id, log_id, is_held, counted_run, claimed_at, event_at)
      SELECT ${rule.id}::uuid, log_id, ${isHeld}::boolean, ${runId}::uuid,
        ${new Date(claim.now)}::timestamptz, event_at
      FROM found ORDER BY log_id
      ON CONFLICT (rule_id, log_id) DO UPDATE SET
        is_superseded = false,
        event_at = excluded.event_at,
        is_held = hit.is_held AND excluded.is_held,
        counted_run = CASE
          WHEN ${finder.trigger}::text = 'scheduled' AND NOT ${isCountedBySchedule}
            THEN excluded.counted_run
          ELSE coalesce(hit.counted_run, excluded.counted_run) END
    )
    SELECT log_id,
      known.log_id IS NULL OR (known.is_held AND NOT ${isHeld}::boolean) AS is_fresh,
      ${finder.trigger}::text <> 'scheduled' OR known.is_scheduled IS NOT TRUE AS is_counted
    FROM found LEFT JOIN known USING (log_id)`.execute(tx)
  const verdicts = new Map(rows.map((row) => [row.log_id, row]))
  return {
    fresh: hits.filter((hit) => verdicts.get(idOf(hit))?.is_fresh),
    counted: hits.filter((hit) => verdicts.get(idOf(hit))?.is_counted),
  }
}

/** Written once the alert is known. */
export async function setAlertOfHits(
  tx: Kysely<Tables>,
  ruleId: string,
  logIds: string[],
  alertId: string,
) {
  await tx
    .updateTable('detection_hits')
    .set({ alert_id: alertId })
    .where('rule_id', '=', ruleId)
    .where('log_id', '=', sql<string>`ANY(${logIds.map(storable)}::text[])`)
    .execute()
}

/** On which alert the event is counted for the rule already, whoever found it. */
export async function alertOfHit(
  tx: Kysely<Tables>,
  { ruleId, logId }: { ruleId: string; logId: string },
): Promise<string | undefined> {
  const hit = await tx
    .selectFrom('detection_hits')
    .select('alert_id')
    .where('rule_id', '=', ruleId)
    .where('log_id', '=', storable(logId))
    .executeTakeFirst()
  return hit?.alert_id ?? undefined
}

/**
 * By hand, once the alert is known, so that the rule does not raise the event again. Without the
 * event's time: it is no match of the rule, and superseded by none, until the rule finds it too.
 */
export async function claimByHand(
  tx: Kysely<Tables>,
  claim: { ruleId: string; logId: string; alertId: string; now: number },
) {
  await tx
    .insertInto('detection_hits')
    .values({
      rule_id: claim.ruleId,
      log_id: storable(claim.logId),
      is_held: false,
      alert_id: claim.alertId,
      claimed_at: new Date(claim.now),
    })
    .onConflict((known) =>
      known.columns(['rule_id', 'log_id']).doUpdateSet({
        is_held: false,
        alert_id: sql`coalesce(detection_hits.alert_id, excluded.alert_id)`,
      }),
    )
    .execute()
}

const idOf = ({ log }: Hit) => storable(log.id)
