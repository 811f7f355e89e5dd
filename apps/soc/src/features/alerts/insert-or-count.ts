import { randomUUIDv7 } from 'node:crypto'
import type { AlertCreate } from '@manara/soc-contract/alerts'
import { CompiledQuery, type Kysely } from 'kysely'
import { KEPT, listsFrom } from '../../db/kept-statements.ts'
import { storableJson } from '../../db/storable.ts'
import type { Tables } from '../../db/tables.ts'
import { arrayLiteral, textArray } from '../../db/text-array.ts'
import { ALERT_COLUMNS, type AlertRow } from './alert-record.ts'
import type { CountedAlert } from './domain/merge-equal.ts'

type Given = CountedAlert & { id: string }
type Written = (given: Given) => string | null | undefined

const iso = (moment: Date | undefined) => moment?.toISOString()

/** What is written of an alert: how its text becomes the column's value, and the text. */
const COLUMNS: Record<string, [value: string, text: Written]> = {
  id: ['id::uuid', ({ id }) => id],
  dedup_hash: ['dedup_hash', ({ hash }) => hash],
  occurrence_count: ['occurrence_count::integer', ({ occurrences }) => String(occurrences)],
  // An event from a clock that runs ahead was seen now at the latest.
  first_seen_at: [
    'least(first_seen_at::timestamptz, last_seen_at::timestamptz, now())',
    of((one) => iso(one.first_seen_at)),
  ],
  last_seen_at: ['least(last_seen_at::timestamptz, now())', of((one) => iso(one.last_seen_at))],
  title: ['title', of((one) => one.title)],
  description: ['description', of((one) => one.description)],
  source: ['source', of((one) => one.source)],
  source_ref: ['source_ref', of((one) => one.source_ref)],
  severity: ['severity', of((one) => one.severity)],
  status: ['status', of((one) => one.status)],
  iocs: ['iocs::text[]', of((one) => arrayLiteral(one.iocs))],
  host: ['host', of((one) => one.host)],
  site_id: ['site_id', of((one) => one.site_id)],
  // As `ownSpelling` has it.
  assignee: [
    `coalesce((SELECT username FROM users WHERE lower(username) = lower(assignee)), assignee)`,
    of((one) => one.assignee || null),
  ],
  tags: ['tags::text[]', of((one) => arrayLiteral(one.tags))],
  rule_id: ['rule_id', of((one) => one.rule_id)],
  mitre_techniques: ['mitre_techniques::text[]', of((one) => arrayLiteral(one.mitre_techniques))],
  raw: ['raw::jsonb', of((one) => storableJson(one.raw))],
}

function of(text: (alert: AlertCreate) => string | null | undefined): Written {
  return ({ alert }) => text(alert)
}

const NAMES = Object.keys(COLUMNS).join(', ')
const IS_REOPENED = `(alerts.status IN ('resolved', 'closed', 'suppressed')
  AND excluded.status NOT IN ('resolved', 'closed', 'suppressed'))`

/** How many parameters it has. */
export const PARAMETERS = Object.keys(COLUMNS).length

export const INSERT_OR_COUNT = `
  INSERT INTO alerts (${NAMES})
  SELECT ${Object.values(COLUMNS)
    .map(([value]) => value)
    .join(', ')}
  FROM ${listsFrom(1, PARAMETERS)} AS given (${NAMES})
  ON CONFLICT (dedup_hash) DO UPDATE SET
    occurrence_count = alerts.occurrence_count + excluded.occurrence_count,
    status = CASE WHEN ${IS_REOPENED} THEN 'new' ELSE alerts.status END,
    resolution = CASE WHEN NOT ${IS_REOPENED} THEN alerts.resolution END,
    reopened_count = alerts.reopened_count + ${IS_REOPENED}::integer,
    -- The moment of this statement and of no other, which is how it knows below that it was this one.
    reopened_at = CASE WHEN ${IS_REOPENED} THEN statement_timestamp() ELSE alerts.reopened_at END,
    first_seen_at = least(alerts.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(alerts.last_seen_at, excluded.last_seen_at),
    updated_at = greatest(alerts.updated_at, excluded.updated_at)
  RETURNING ${ALERT_COLUMNS.join(', ')},
    coalesce(reopened_at = statement_timestamp(), false) AS is_reopened`

const STATEMENT = KEPT + INSERT_OR_COUNT

/** With the ids they get if they are new, and as the parameters of the statement. */
export function asGiven(counted: CountedAlert[]) {
  const given = counted.map((one) => ({ ...one, id: randomUUIDv7() as string }))
  return { given, values: Object.values(COLUMNS).map(([, text]) => textArray(given.map(text))) }
}

/**
 * One statement, so that however many post the same at once there is one row and none is uncounted.
 * No two of them may be the same. Answers by hash.
 */
export async function insertOrCount(tx: Kysely<Tables>, counted: CountedAlert[]) {
  const { given, values } = asGiven(counted)
  const { rows } = await tx.executeQuery<AlertRow & { is_reopened: boolean }>(
    CompiledQuery.raw(STATEMENT, values),
  )
  const fresh = new Set(given.map(({ id }) => id))
  return new Map(
    rows.map((row) => [
      row.dedup_hash,
      { row, isNew: fresh.has(row.id), isReopened: row.is_reopened },
    ]),
  )
}
