import type { Severity } from '@manara/soc-contract/severity'
import { storable } from '@manara/soc-contract/storable'
import { type Kysely, sql } from 'kysely'
import { isReadable } from '../../../../core/access/reader.ts'
import { isRecordId } from '../../../../db/record-id.ts'
import type { Tables } from '../../../../db/tables.ts'
import type { Rule } from '../../domain/investigation/story/reasons.ts'

type Db = Kysely<Tables>

export type KnownAlert = {
  id: string
  title: string
  severity: Severity
  status: string
  host: string | null
  site_id: string | null
  source_ref: string | null
  iocs: string[]
  first_seen_at: Date
  last_seen_at: Date
}

const COLUMNS = [
  'id',
  'title',
  'severity',
  'status',
  'host',
  'site_id',
  'source_ref',
  'iocs',
  'first_seen_at',
  'last_seen_at',
] as const

/** In the order asked for. */
export async function alertsByIds(db: Db, ids: string[]): Promise<KnownAlert[]> {
  const known = ids.filter(isRecordId)
  if (known.length === 0) return []
  const rows = await db
    .selectFrom('alerts')
    .select(COLUMNS)
    .where('id', '=', sql<string>`ANY(${known}::uuid[])`)
    .execute()
  return rows.sort((a, b) => known.indexOf(a.id) - known.indexOf(b.id))
}

/** Those of cases, the worst and newest first. */
export async function alertsOfCases(db: Db, ids: string[]): Promise<KnownAlert[]> {
  const known = ids.filter(isRecordId)
  if (known.length === 0) return []
  return db
    .selectFrom('alerts')
    .select(COLUMNS)
    .where('case_id', '=', sql<string>`ANY(${known}::uuid[])`)
    .where(isReadable('case_id'))
    .orderBy('severity_rank', 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(10)
    .execute()
}

const SHORTEST_TITLE = 8

/** Whose title stands in the text, of the last month: the worst and newest first. */
export async function alertsNamedIn(db: Db, text: string, since: Date): Promise<KnownAlert[]> {
  return db
    .selectFrom('alerts')
    .select(COLUMNS)
    .where('created_at', '>=', since)
    .where(sql<boolean>`severity_rank > 0`)
    .where(sql<boolean>`length(title) >= ${SHORTEST_TITLE}`)
    .where(sql<boolean>`strpos(lower(${storable(text)}), lower(title)) > 0`)
    .orderBy('severity_rank', 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(5)
    .execute()
}

export type HitOfAlert = { log_id: string; claimed_at: Date }

/** Of an alert, the newest first. */
export async function hitsOfAlert(db: Db, alertId: string, most: number): Promise<HitOfAlert[]> {
  return db
    .selectFrom('detection_hits')
    .select(['log_id', 'claimed_at'])
    .where('alert_id', '=', alertId)
    .orderBy('claimed_at', 'desc')
    .orderBy('log_id')
    .limit(most)
    .execute()
}

export type StoredHit = {
  rule_id: string
  log_id: string
  alert_id: string | null
  is_held: boolean
}

const IDS_AT_ONCE = 5_000

export async function hitsOfLogs(db: Db, logIds: string[]): Promise<StoredHit[]> {
  const hits: StoredHit[] = []
  for (let at = 0; at < logIds.length; at += IDS_AT_ONCE) {
    const ids = logIds.slice(at, at + IDS_AT_ONCE)
    const rows = await db
      .selectFrom('detection_hits')
      .select(['rule_id', 'log_id', 'alert_id', 'is_held'])
      .where('log_id', '=', sql<string>`ANY(${ids.map(storable)}::text[])`)
      .execute()
    hits.push(...rows)
  }
  return hits
}

/** When a rule that is on was changed last: what came before was not seen by it. */
export async function rulesChangedAt(db: Db): Promise<number> {
  const row = await db
    .selectFrom('detection_rules')
    .select(({ fn }) => fn.max('updated_at').as('at'))
    .where('enabled', '=', true)
    .executeTakeFirst()
  return row?.at?.getTime() ?? 0
}

type Verdicts = { rule_id: string; right: number; all: number }

/**
 * Rules about single events, with what people said about them. Services do not teach, and what was
 * said three months ago counts half.
 */
export async function rulesByIds(db: Db, ids: string[], now: Date): Promise<Map<string, Rule>> {
  if (ids.length === 0) return new Map()
  const [rules, verdicts] = await Promise.all([
    db
      .selectFrom('detection_rules')
      .select(['id', 'name', 'alert_severity', 'mitre_techniques', 'kind'])
      .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
      .execute(),
    verdictsOn(db, ids, now),
  ])
  return new Map(
    rules.map(({ id, name, alert_severity, mitre_techniques }) => [
      id,
      {
        id,
        name,
        severity: alert_severity,
        techniques: mitre_techniques.map((technique) => technique.toUpperCase()),
        verdicts: verdicts.get(id),
      },
    ]),
  )
}

async function verdictsOn(db: Db, ids: string[], now: Date) {
  const { rows } = await sql<Verdicts>`
    SELECT rule_id,
      sum(weight) FILTER (WHERE verdict = 'true_positive')::float8 AS right, sum(weight)::float8 AS all
    FROM (
      SELECT feedback.rule_id, feedback.verdict,
        CASE WHEN feedback.created_at < ${now}::timestamptz - interval '90 days' THEN 0.5 ELSE 1 END
          AS weight
      FROM detection_feedback AS feedback
      JOIN users ON users.id = feedback.created_by_id AND users.role <> 'service'
      WHERE feedback.rule_id = ANY(${ids}::uuid[])
    ) AS weighed
    GROUP BY rule_id`.execute(db)
  return new Map(rows.map(({ rule_id, right, all }) => [rule_id, { right: right ?? 0, all }]))
}

/** Which of these rules are about one event each: others match parts of what they look for. */
export async function rulesOfOneEvent(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('detection_rules')
    .select('id')
    .where('kind', '=', 'query')
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * On these hosts or with these indicators, around that time. None is changed before it is seen: by
 * that the index passes over what is older.
 */
export async function alertsAround(
  db: Db,
  around: { hosts: string[]; values: string[]; from: Date; to: Date; most: number },
): Promise<KnownAlert[]> {
  const { hosts, values, from, to, most } = around
  const names = hosts.map((host) => host.toLowerCase())
  return db
    .selectFrom('alerts')
    .select(COLUMNS)
    .where('first_seen_at', '<=', to)
    .where('last_seen_at', '>=', from)
    .where('updated_at', '>=', from)
    .where(
      sql<boolean>`(split_part(lower(host), '.', 1) = ANY(${names}::text[])
        OR iocs && ${values.map(storable)}::text[])`,
    )
    .orderBy('severity_rank', 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()
}

export async function endpointsNamed(
  db: Db,
  hosts: string[],
): Promise<{ site_id: string | null }[]> {
  const names = hosts.map((host) => host.toLowerCase())
  return db
    .selectFrom('edr_endpoints')
    .select('site_id')
    .where(sql<boolean>`split_part(lower(hostname), '.', 1) = ANY(${names}::text[])`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(50)
    .execute()
}

/** Those of the ids that are there. */
export async function existing(
  db: Db,
  asked: { alertIds: string[]; ruleIds: string[] },
): Promise<{ alertIds: Set<string>; ruleIds: Set<string> }> {
  const { rows } = await sql<{ kind: 'alert' | 'rule'; id: string }>`
    SELECT 'alert' AS kind, id::text FROM alerts WHERE id = ANY(${asked.alertIds}::uuid[])
    UNION ALL
    SELECT 'rule', id::text FROM detection_rules WHERE id = ANY(${asked.ruleIds}::uuid[])
  `.execute(db)
  const of = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id))
  return { alertIds: of('alert'), ruleIds: of('rule') }
}
