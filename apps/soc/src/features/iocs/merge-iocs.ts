import type { Tlp } from '@manara/soc-contract/iocs'
import { type Kysely, type RawBuilder, sql } from 'kysely'
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
  beforeBlock = told,
): Promise<{ id: string; is_new: boolean }[]> {
  const { rows } = await sql<{
    id: string
    is_new: boolean
  }>`${merge(incoming, createdBy, beforeBlock)}`.execute(tx)
  return rows
}

/** The same for many: only how many came of it. */
export async function countMerged(
  tx: Kysely<Tables>,
  incoming: string,
  createdBy: string,
): Promise<{ imported: number; updated: number }> {
  const { rows } = await sql<{ imported: number; updated: number }>`
    WITH merged AS (${merge(incoming, createdBy, told)})
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
const merge = (incoming: string, createdBy: string, beforeBlock: RawBuilder<unknown>) => sql`
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
      before_block = ${beforeBlock},
      updated_at = now(),
      changed_xid = pg_current_xact_id()
    RETURNING id, (xmax = 0) AS is_new`

/** A block keeps what was before it. */
export const untouched = sql`known.before_block`

const before = sql`jsonb_populate_record(known, known.before_block)`

/**
 * What is told while a block stands is merged into what the way back leads to, too: else that would
 * take a feed's indicator away with the block. One that only a block made has nothing to merge with.
 */
const told = sql`
  known.before_block || CASE WHEN known.before_block ? 'score' THEN jsonb_build_object(
      'revoked', (${before}).revoked OR excluded.revoked,
      'score', greatest(excluded.score, ioc_score(${before})),
      'scored_at', now(),
      'valid_until', CASE WHEN (${before}).valid_until IS NULL OR excluded.valid_until IS NULL THEN NULL
        ELSE greatest((${before}).valid_until, excluded.valid_until) END)
    ELSE jsonb_build_object('revoked', excluded.revoked, 'score', excluded.score,
      'scored_at', now(), 'valid_until', excluded.valid_until) END`

const STRICTER = sql`ARRAY['clear', 'green', 'amber', 'amber+strict', 'red']`

/** At most a hundred, as a request may have: feeds must not grow one without end. */
const union = (column: 'sources' | 'tags') => sql`
  CASE WHEN known.${sql.raw(column)} @> excluded.${sql.raw(column)} THEN known.${sql.raw(column)}
    ELSE (SELECT array_agg(every.one) FROM (
      SELECT DISTINCT one FROM unnest(known.${sql.raw(column)} || excluded.${sql.raw(column)}) AS one
      LIMIT 100) AS every) END`
