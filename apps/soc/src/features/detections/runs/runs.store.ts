import type { RuleRun, RunListQuery } from '@manara/soc-contract/detections'
import type { ListOf } from '@manara/soc-contract/lists'
import type { Kysely, Selectable } from 'kysely'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'

type Db = Kysely<Tables>

export type NewRun = Omit<RuleRun, 'window_from' | 'window_to' | 'started_at' | 'completed_at'> & {
  window_from: Date
  window_to: Date
  started_at: Date
  completed_at: Date
}

// A statement with thousands of parameters would take long to build.
const MOST_AT_ONCE = 50

export async function insertRuns(tx: Db, runs: NewRun[]): Promise<RuleRun[]> {
  const made: RuleRun[] = []
  for (let from = 0; from < runs.length; from += MOST_AT_ONCE) {
    const rows = await tx
      .insertInto('detection_runs')
      .values(runs.slice(from, from + MOST_AT_ONCE))
      .returningAll()
      .execute()
    made.push(...rows.map(toRun))
  }
  return made
}

export async function listRuns(
  db: Db,
  ruleId: string,
  query: RunListQuery,
): Promise<ListOf<RuleRun>> {
  const sort = inTime('started_at', query.order)
  const listed = db.selectFrom('detection_runs').where('rule_id', '=', ruleId)
  return readPage(query, sort, listed.selectAll(), toRun)
}

function toRun(row: Selectable<Tables['detection_runs']>): RuleRun {
  return {
    ...row,
    lateness_ms: Number(row.lateness_ms),
    gap_ms: Number(row.gap_ms),
    events_scanned: Number(row.events_scanned),
    unrecorded_count: Number(row.unrecorded_count),
    window_from: row.window_from.toISOString(),
    window_to: row.window_to.toISOString(),
    started_at: row.started_at.toISOString(),
    completed_at: row.completed_at.toISOString(),
  }
}
