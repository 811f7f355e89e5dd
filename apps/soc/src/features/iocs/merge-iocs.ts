import type { Tlp } from '@manara/soc-contract/iocs'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Indicator } from './domain/normalise.ts'

/** An indicator on its way in: one of each type and value, times as text. */
export type IncomingIoc = Indicator & {
  id: string
  score: number
  tlp: Tlp
  valid_from?: string | null | undefined
  valid_until?: string | null | undefined
  revoked?: boolean | undefined
  sources: string[]
  tags: string[]
  description?: string | null | undefined
}

/** Each with whether it is new. `incoming` is the JSON of a list of IncomingIoc. */
export async function mergeIocs(
  tx: Kysely<Tables>,
  incoming: string,
  createdBy: string,
): Promise<{ id: string; is_new: boolean }[]> {
  const { rows } = await sql<{
    id: string
    is_new: boolean
  }>`${merge(incoming, createdBy)}`.execute(tx)
  return rows
}

/** The same for many: only how many came of it. */
export async function countMerged(
  tx: Kysely<Tables>,
  incoming: string,
  createdBy: string,
): Promise<{ imported: number; updated: number }> {
  const { rows } = await sql<{ imported: number; updated: number }>`
    WITH merged AS (${merge(incoming, createdBy)})
    SELECT count(*) FILTER (WHERE is_new)::integer AS imported,
      count(*) FILTER (WHERE NOT is_new)::integer AS updated FROM merged`.execute(tx)
  return rows[0] ?? { imported: 0, updated: 0 }
}

/**
 * New ones are inserted. One that is known gains sources and tags, keeps the stricter TLP and stays
 * revoked; its score is the higher of the new one and what is left of the old, and decays from now,
 * and it is valid for the longer of both times. Now is cut off to the millisecond that the column
 * keeps: rounded up, it would not have come yet.
 */
const merge = (incoming: string, createdBy: string) => sql`
    INSERT INTO iocs AS known (id, type, value, score, tlp, valid_from, valid_until, revoked,
      sources, tags, description, created_by)
    SELECT id, type, value, score, tlp, coalesce(valid_from, date_trunc('milliseconds', now())), valid_until,
      coalesce(revoked, false), sources, tags, description, ${createdBy}
    FROM jsonb_to_recordset(${incoming}::jsonb) AS given(id uuid, type text, value text,
      score smallint, tlp text, valid_from timestamptz, valid_until timestamptz, revoked boolean,
      sources text[], tags text[], description text)
    ON CONFLICT (type, value) DO UPDATE SET
      score = greatest(excluded.score, ioc_score(known)),
      scored_at = now(),
      tlp = CASE WHEN array_position(${STRICTER}, excluded.tlp) > array_position(${STRICTER}, known.tlp)
        THEN excluded.tlp ELSE known.tlp END,
      valid_from = least(known.valid_from, excluded.valid_from),
      valid_until = CASE WHEN known.valid_until IS NULL OR excluded.valid_until IS NULL THEN NULL
        ELSE greatest(known.valid_until, excluded.valid_until) END,
      revoked = known.revoked OR excluded.revoked,
      sources = ${union('sources')},
      tags = ${union('tags')},
      description = coalesce(excluded.description, known.description),
      updated_at = now(),
      changed_xid = pg_current_xact_id()
    RETURNING id, (xmax = 0) AS is_new`

const STRICTER = sql`ARRAY['clear', 'green', 'amber', 'amber+strict', 'red']`

/** At most a hundred, as a request may have: feeds must not grow one without end. */
const union = (column: 'sources' | 'tags') => sql`
  CASE WHEN known.${sql.raw(column)} @> excluded.${sql.raw(column)} THEN known.${sql.raw(column)}
    ELSE (SELECT array_agg(every.one) FROM (
      SELECT DISTINCT one FROM unnest(known.${sql.raw(column)} || excluded.${sql.raw(column)}) AS one
      LIMIT 100) AS every) END`
