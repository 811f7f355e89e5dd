import type { Hunt, HuntResult, HuntRun, HuntRunRequest } from '@manara/soc-contract/hunts'
import type { Limits } from '../../../ports/log-store.ts'
import { toLog } from '../search/log-record.ts'
import type { ReadableLogs } from '../search/readable-logs.ts'
import { huntSelection } from './hunt-selection.ts'
import type { NewRun } from './hunts.store.ts'

/** Counts kept over time should differ for good reasons only, so they go further than a list's. */
const MOST_COUNTED = 1_000_000

/** The latest matches; `record` keeps the count, or resolves to null where nothing is kept. */
export async function runHunt(
  deps: { logs: ReadableLogs; record(run: NewRun): Promise<HuntRun | null>; now(): number },
  hunt: Hunt,
  { from, to, limit }: HuntRunRequest,
  runBy: string,
  limits: Limits,
): Promise<HuntResult> {
  const started = deps.now()
  const found = await deps.logs.search(
    {
      ...huntSelection(hunt, { from, to }, started),
      skip: 0,
      limit,
      order: 'desc',
      countUpTo: MOST_COUNTED,
    },
    limits,
  )
  const total = found.total ?? 0
  const run = await deps.record({
    hunt_id: hunt.id,
    run_by: runBy,
    match_count: total,
    is_count_exact: found.isTotalExact,
    partial: found.partial,
    from,
    to,
    startedAt: new Date(started),
    duration_ms: Math.round(deps.now() - started),
  })
  return {
    hunt: run ? { ...hunt, last_run_at: run.started_at, last_match_count: total } : hunt,
    total,
    is_total_exact: found.isTotalExact,
    partial: found.partial,
    run,
    logs: found.logs.map(toLog),
  }
}
