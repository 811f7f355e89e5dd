import { AlertCreate } from '@manara/soc-contract/alerts'
import type { IocType, Sighting } from '@manara/soc-contract/iocs'
import { sql } from 'kysely'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import { spelled } from './domain/normalise.ts'
import type { Hit } from './match-log.ts'

type RaiseAlert = (change: ChangeContext, alert: AlertCreate) => Promise<unknown>

/** What was alerted a moment ago is not alerted again: a busy host would only be counted. */
export type AlertGap = { isOver(key: string): boolean; begin(key: string): void }

export type SightingDeps = {
  raiseAlert: RaiseAlert
  /** From what effective score on a sighting is an alert. */
  alertScore: number
  alertGap: AlertGap
} & Pick<Changes, 'internalWorkflow'>

type Sighted = {
  ioc_id: string
  log_id: string
  host: string | null
  seen_at: Date
  type: IocType
  value: string
  score: number
  tags: string[]
  direction: Sighting['direction']
}

/** Those that hold, each once however often it is told. */
export async function recordSightings(deps: SightingDeps, hits: Hit[]): Promise<void> {
  if (hits.length === 0) return
  const alerted = await deps.internalWorkflow((change) => record(deps, change, hits))
  // After the commit: a transaction may be tried again.
  for (const key of alerted) deps.alertGap.begin(key)
}

async function record(deps: SightingDeps, change: ChangeContext, hits: Hit[]): Promise<string[]> {
  const sighted = await insertSightings(change, hits)
  if (sighted.length === 0) return []
  await countSightings(change, sighted)
  const alerted: string[] = []
  for (const [key, one] of new Map(sighted.map((each) => [`${each.ioc_id} ${each.host}`, each]))) {
    const { ioc_id: id, type, value, host, log_id, direction } = one
    await change.publish('ioc.sighted', { id, type, value, host, log_id, direction })
    if (one.score < deps.alertScore || !deps.alertGap.isOver(key)) continue
    await deps.raiseAlert(change, alertOf(one))
    alerted.push(key)
  }
  return alerted
}

/** Who looks does not decide the direction: what came after its indicator is an arrival. */
async function insertSightings({ tx }: ChangeContext, hits: Hit[]): Promise<Sighted[]> {
  const { rows } = await sql<Sighted>`
    WITH matched AS (
      SELECT iocs.id AS ioc_id, log_id, host, seen_at, iocs.type, iocs.value,
        ioc_score(iocs) AS score, tags,
        CASE WHEN hit.received_at < iocs.created_at THEN 'lookback' ELSE 'arrival' END AS direction
      FROM jsonb_to_recordset(${JSON.stringify(hits)}::jsonb)
        AS hit(type text, value text, log_id text, seen_at timestamptz, host text,
          received_at timestamptz)
      JOIN iocs ON iocs.type = hit.type AND iocs.value = hit.value
      WHERE NOT revoked AND valid_from <= now() AND (valid_until IS NULL OR valid_until > now())
    ), inserted AS (
      INSERT INTO ioc_sightings (ioc_id, log_id, seen_at, direction, host)
      SELECT ioc_id, log_id, seen_at, direction, host FROM matched
      ON CONFLICT DO NOTHING RETURNING ioc_id, log_id
    )
    SELECT matched.* FROM matched JOIN inserted USING (ioc_id, log_id)
    ORDER BY seen_at DESC`.execute(tx)
  return rows
}

async function countSightings({ tx }: ChangeContext, sighted: Sighted[]) {
  const ids = sighted.map(({ ioc_id }) => ioc_id)
  const times = sighted.map(({ seen_at }) => seen_at.toISOString())
  await sql`
    UPDATE iocs SET sightings = sightings + amount,
      first_sighted_at = least(first_sighted_at, first_at),
      last_sighted_at = greatest(last_sighted_at, last_at)
    FROM (
      SELECT id, count(*) AS amount, min(at) AS first_at, max(at) AS last_at
      FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS one(id, at) GROUP BY id
    ) AS counted
    WHERE iocs.id = counted.id`.execute(tx)
}

/** One alert an indicator and host: the same again is counted on it. */
function alertOf({ type, value, host, score, log_id, seen_at, tags }: Sighted): AlertCreate {
  const short = value.length > 300 ? `${value.slice(0, 300)}…` : value
  const alert = AlertCreate.parse({
    title: `Known ${type} ${short} seen${host ? ` on ${host.slice(0, 100)}` : ''}`,
    description: `The indicator has an effective score of ${score}.`,
    source: 'ioc',
    source_ref: log_id.slice(0, 500),
    severity: score >= 90 ? 'critical' : 'high',
    iocs: [spelled({ type, value })],
    host: host?.slice(0, 255),
    tags,
  })
  return { ...alert, first_seen_at: seen_at, last_seen_at: seen_at }
}
