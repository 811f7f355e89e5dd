import type { Severity } from '@manara/soc-contract/severity'
import { type Kysely, sql } from 'kysely'
import { isRecordId } from '../../../../db/record-id.ts'
import type { Tables } from '../../../../db/tables.ts'
import type { StoredLog } from '../../../../ports/log-store.ts'
import type { Run } from '../../queue/agent-work.ts'
import { earliest } from './find-events.ts'
import { anyValue } from './queries.ts'

type Db = Kysely<Tables>

export type AlertFacts = {
  id: string
  title: string
  source: string
  source_ref: string | null
  severity: Severity
  status: string
  iocs: string[]
  host: string | null
  user: string | null
  site_id: string | null
  rule_id: string | null
  mitre_techniques: string[]
  tags: string[]
  case_id: string | null
  log_ids: string[]
  last_seen_at: Date
  created_at: Date
}

const COLUMNS = sql`
  id, title, source, source_ref, severity, status, iocs, host, site_id, rule_id, mitre_techniques,
  tags, case_id, last_seen_at, created_at, raw->>'user' AS user,
  coalesce((SELECT array_agg(log_id) FROM jsonb_array_elements_text(
    CASE jsonb_typeof(raw->'log_ids') WHEN 'array' THEN raw->'log_ids' ELSE '[]' END) AS log_id),
    '{}') AS log_ids`

export async function alertFacts(db: Db, id: unknown): Promise<AlertFacts | undefined> {
  if (typeof id !== 'string' || !isRecordId(id)) return undefined
  const { rows } = await sql<AlertFacts>`
    SELECT ${COLUMNS} FROM alerts WHERE id = ${id}`.execute(db)
  return rows[0]
}

export async function alertsWhere(
  db: Db,
  condition: ReturnType<typeof sql<boolean>>,
  most = 200,
): Promise<AlertFacts[]> {
  const { rows } = await sql<AlertFacts>`
    SELECT ${COLUMNS} FROM alerts WHERE ${condition} ORDER BY created_at DESC, id LIMIT ${most}`.execute(
    db,
  )
  return rows
}

export const IS_LIVE = sql`status NOT IN ('resolved', 'closed', 'suppressed')`

const HOUR = 3_600_000
const MOST_EVENTS = 50

/** The events behind an alert, those that are still stored. */
export async function eventsOf(run: Run, alert: AlertFacts): Promise<StoredLog[]> {
  const ids = [...new Set([alert.source_ref, ...alert.log_ids])]
    .filter((id): id is string => id !== null && id !== '')
    .slice(0, MOST_EVENTS)
  if (ids.length === 0) return []
  // An alert may come long after its events, by a rule that looks back.
  const time = { from: alert.created_at.getTime() - 31 * 24 * HOUR }
  return earliest(run, { query: anyValue('id', ids), time }, ids.length)
}

export type EndpointFacts = {
  id: string
  external_id: string | null
  hostname: string
  os_name: string | null
  os_version: string | null
  agent_version: string | null
  status: string
  isolation: string
  labels: string[]
  site_id: string | null
  last_seen_at: Date
}

/** By its name, with or without the domain; one with an agent first. */
export async function endpointOf(db: Db, host: string | null): Promise<EndpointFacts | undefined> {
  if (host === null) return undefined
  const short = host.split('.')[0] ?? host
  return db
    .selectFrom('edr_endpoints')
    .selectAll()
    .where(sql<boolean>`lower(hostname) IN (lower(${host}), lower(${short}))`)
    .orderBy(sql`external_id IS NULL`)
    .orderBy(sql`lower(hostname) <> lower(${host})`)
    .limit(1)
    .executeTakeFirst()
}

export type Verdicts = { right: number; all: number; prior: number }

/** What people said about the rule; what is older than ninety days counts half. */
export async function verdictsOn(db: Db, ruleId: string | null): Promise<Verdicts | undefined> {
  if (ruleId === null || !isRecordId(ruleId)) return undefined
  const { rows } = await sql<{ right: number | null; all: number | null }>`
    SELECT sum(weight) FILTER (WHERE verdict = 'true_positive')::float8 AS right,
      sum(weight)::float8 AS all
    FROM (SELECT verdict,
      CASE WHEN created_at < now() - interval '90 days' THEN 0.5 ELSE 1 END AS weight
      FROM detection_feedback WHERE rule_id = ${ruleId}) AS said`.execute(db)
  const right = rows[0]?.right ?? 0
  const all = rows[0]?.all ?? 0
  return all === 0 ? undefined : { right, all, prior: (right + 1) / (all + 2) }
}
