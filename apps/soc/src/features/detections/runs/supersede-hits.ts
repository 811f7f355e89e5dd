import { storable } from '@manara/soc-contract/storable'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Hit } from '../domain/evaluate.ts'
import { setAlertOfHits } from './claim-hits.ts'
import type { Settled } from './scan-rules.ts'

type Db = Kysely<Tables>

/** Claims that another event takes over; answers the alerts that they had raised. */
export async function supersede(db: Db, ruleId: string, logIds: string[]): Promise<string[]> {
  if (logIds.length === 0) return []
  return markSuperseded(db, ruleId, sql`log_id = ANY(${logIds.map(storable)}::text[])`)
}

/** Of stretches that were looked at again, the claims that are hits no more. */
export async function supersedeOthers(
  db: Db,
  ruleId: string,
  { ranges, hitIds }: Settled,
): Promise<string[]> {
  const ids = hitIds.map(storable)
  const alerts: string[] = []
  for (const { from, to } of ranges) {
    const isInside = sql`event_at >= ${new Date(from)} AND event_at < ${new Date(to)}
      AND log_id <> ALL(${ids}::text[])`
    alerts.push(...(await markSuperseded(db, ruleId, isInside)))
  }
  return alerts
}

async function markSuperseded(db: Db, ruleId: string, which: RawBuilder<unknown>) {
  const { rows } = await sql<{ alert_id: string | null }>`
    UPDATE detection_hits SET is_superseded = true
    WHERE rule_id = ${ruleId} AND NOT is_superseded AND ${which}
    RETURNING alert_id`.execute(db)
  return rows.flatMap(({ alert_id }) => alert_id ?? [])
}

/**
 * The hit has moved and its alert with it: nobody is told twice. Answers how many, from the first
 * on, have got an alert so.
 */
export async function inherit(
  db: Db,
  ruleId: string,
  fresh: Hit[],
  alertIds: string[],
): Promise<number> {
  const count = Math.min(fresh.length, alertIds.length)
  for (let place = 0; place < count; place += 1) {
    const [hit, alertId] = [fresh[place], alertIds[place]]
    if (hit && alertId) await setAlertOfHits(db, ruleId, [hit.log.id], alertId)
  }
  return count
}
