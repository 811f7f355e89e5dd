import type { Ioc, Lookback } from '@manara/soc-contract/iocs'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

const COLUMNS = [
  'id',
  'type',
  'value',
  'score',
  'tlp',
  'valid_from',
  'valid_until',
  'revoked',
  'sources',
  'tags',
  'description',
  'sightings',
  'unrecorded_sightings',
  'first_sighted_at',
  'last_sighted_at',
  'created_by',
  'created_at',
  'updated_at',
] as const

/** With what is left of the score at this moment. */
export const IOC_COLUMNS = [
  ...COLUMNS,
  sql<number>`ioc_score(iocs)`.as('effective_score'),
  sql<Lookback>`ioc_lookback(iocs)`.as('lookback'),
] as const

export type IocRow = Pick<Selectable<Tables['iocs']>, (typeof COLUMNS)[number]> & {
  effective_score: number
  lookback: Lookback
}

export function toIoc(row: IocRow): Ioc {
  return {
    id: row.id,
    type: row.type,
    value: row.value,
    score: row.score,
    effective_score: row.effective_score,
    tlp: row.tlp,
    valid_from: row.valid_from.toISOString(),
    valid_until: row.valid_until?.toISOString() ?? null,
    revoked: row.revoked,
    sources: row.sources,
    tags: row.tags,
    description: row.description,
    sightings: row.sightings,
    unrecorded_sightings: Number(row.unrecorded_sightings),
    first_sighted_at: row.first_sighted_at?.toISOString() ?? null,
    last_sighted_at: row.last_sighted_at?.toISOString() ?? null,
    lookback: row.lookback,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
