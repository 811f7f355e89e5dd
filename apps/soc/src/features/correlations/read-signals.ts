import type { Severity } from '@manara/soc-contract/severity'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Signal } from './domain/signal.ts'

type Row = Omit<Signal, 'id' | 'at' | 'side' | 'severity'> & {
  record_id: string
  at: Date
  severity: Severity
  is_cps: boolean
}

type Places = { siteIds: string[]; hosts: string[] }

/** Those of a time, in the order of it; only at some places when they are given. */
export async function readSignals(
  db: Kysely<Tables>,
  { from, to, most, at }: { from: Date; to: Date; most: number; at?: Places },
): Promise<Signal[]> {
  const { rows } = await sql<Row>`
    SELECT * FROM located_signals
    WHERE at >= ${from} AND at <= ${to}
      ${at ? sql`AND (site_id = ANY(${at.siteIds}) OR lower(host) = ANY(${at.hosts}))` : sql``}
    ORDER BY at DESC, record_id LIMIT ${most}`.execute(db)
  return rows.map(toSignal).reverse()
}

/** Some of those that nobody has joined with the others yet, for whoever asks first. */
export async function claimSignals(tx: Kysely<Tables>, most: number): Promise<Signal[]> {
  const { rows } = await sql<Row>`
    WITH due AS (
      SELECT record_id, minute FROM correlation_signals WHERE NOT is_done
      ORDER BY at LIMIT ${most} FOR UPDATE SKIP LOCKED
    ), done AS (
      UPDATE correlation_signals AS signal SET is_done = true FROM due
      WHERE signal.record_id = due.record_id AND signal.minute = due.minute
      RETURNING signal.record_id, signal.at
    )
    SELECT located.* FROM done JOIN located_signals AS located USING (record_id, at)`.execute(tx)
  return rows.map(toSignal)
}

const toSignal = ({ record_id, at, is_cps, ...row }: Row): Signal => ({
  ...row,
  id: record_id,
  at: at.getTime(),
  side: is_cps ? 'cps' : 'it',
})
