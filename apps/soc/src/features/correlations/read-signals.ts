import type { SignalCondition } from '@manara/soc-contract/correlations'
import type { Severity } from '@manara/soc-contract/severity'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { asGrave, type Signal } from './domain/signal.ts'

type Row = Omit<Signal, 'id' | 'at' | 'side' | 'severity'> & {
  record_id: string
  at: Date
  severity: Severity
  is_cps: boolean
}

type Places = { siteIds: string[]; hosts: string[] }

/** Those of a time, in the order of it; of some kinds and at some places when they are given. */
export async function readSignals(
  db: Kysely<Tables>,
  asked: { from: Date; to: Date; most: number; at?: Places; like?: SignalCondition[] },
): Promise<Signal[]> {
  const { from, to, most, at, like } = asked
  const { rows } = await sql<Row>`
    SELECT * FROM located_signals
    WHERE at >= ${from} AND at <= ${to}
      ${at ? sql`AND (site_id = ANY(${at.siteIds}) OR lower(host) = ANY(${at.hosts}))` : sql``}
      ${like ? sql`AND (${sql.join(like.map(mayMatch), sql` OR `)})` : sql``}
    ORDER BY at DESC, record_id LIMIT ${most}`.execute(db)
  return rows.map(toSignal).reverse()
}

/** What the database can tell of a condition without comparing words; the rest is for `matches`. */
function mayMatch({ kind, side, verdicts, min_severity, marks }: SignalCondition) {
  return sql<boolean>`(${sql.join(
    [
      sql`true`,
      ...(kind ? [sql`kind = ${kind}`] : []),
      ...(side ? [sql`is_cps = ${side === 'cps'}`] : []),
      ...(verdicts ? [sql`verdict = ANY(${verdicts}::text[])`] : []),
      ...(min_severity ? [sql`severity = ANY(${asGrave(min_severity)}::text[])`] : []),
      ...(marks ? [sql`cardinality(tags || techniques) > 0`] : []),
    ],
    sql` AND `,
  )})`
}

/**
 * Some of those that nobody has joined with the others yet, for whoever asks first. Where they were
 * is asked by their ids and times: joined to the view they would be looked for in all there ever were.
 */
export async function claimSignals(tx: Kysely<Tables>, most: number): Promise<Signal[]> {
  const { rows: claimed } = await sql<{ record_id: string; at: Date }>`
    UPDATE correlation_signals AS signal SET is_done = true
    FROM (
      SELECT record_id, minute FROM correlation_signals WHERE NOT is_done
      ORDER BY at LIMIT ${most} FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE signal.record_id = due.record_id AND signal.minute = due.minute
    RETURNING signal.record_id, signal.at`.execute(tx)
  if (claimed.length === 0) return []
  const times = claimed.map(({ at }) => at.getTime())
  const { rows } = await sql<Row>`
    SELECT * FROM located_signals
    WHERE record_id = ANY(${[...new Set(claimed.map(({ record_id }) => record_id))]}::uuid[])
      AND at >= ${new Date(Math.min(...times))} AND at <= ${new Date(Math.max(...times))}`.execute(
    tx,
  )
  const fresh = new Set(claimed.map(momentOf))
  return rows.filter((row) => fresh.has(momentOf(row))).map(toSignal)
}

const momentOf = ({ record_id, at }: { record_id: string; at: Date }) =>
  `${record_id} ${at.getTime()}`

const toSignal = ({ record_id, at, is_cps, ...row }: Row): Signal => ({
  ...row,
  id: record_id,
  at: at.getTime(),
  side: is_cps ? 'cps' : 'it',
})
