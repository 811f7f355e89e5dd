import type { Hunt, HuntRun } from '@manara/soc-contract/hunts'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

export type HuntRow = Selectable<Tables['hunts']>

export const toHunt = (row: HuntRow): Hunt => ({
  ...row,
  last_run_at: row.last_run_at?.toISOString() ?? null,
  last_match_count: row.last_match_count === null ? null : Number(row.last_match_count),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export function toHuntRun(row: Selectable<Tables['hunt_runs']>): HuntRun {
  const { searched_from, searched_to, ...run } = row
  return {
    ...run,
    match_count: Number(run.match_count),
    from: searched_from?.toISOString() ?? null,
    to: searched_to?.toISOString() ?? null,
    started_at: run.started_at.toISOString(),
  }
}
