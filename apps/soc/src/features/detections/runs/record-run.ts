import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@manara/kit/errors'
import type { DetectionRule, RuleRun, RunTrigger } from '@manara/soc-contract/detections'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Principal } from '../../../core/identity/principal.ts'
import { audienceOf } from '../../../core/identity/sharing.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { Hit } from '../domain/evaluate.ts'
import type { AlertRaising } from './raise-alerts.ts'
import { recordHits } from './record-hits.ts'
import type { NewRun } from './runs.store.ts'
import type { Settled } from './scan-rules.ts'

/** What one run of one rule has found so far. */
export type Tally = {
  runId: string
  matched: number
  held: number
  /** The newest matches, oldest first. */
  logs: StoredLog[]
  alertIds: Set<string>
  recorded: number
  /** Matches beyond the cap: counted, but neither claimed nor raised. */
  unrecorded: number
}

export const emptyTally = (): Tally => ({
  runId: randomUUIDv7(),
  matched: 0,
  held: 0,
  logs: [],
  alertIds: new Set(),
  recorded: 0,
  unrecorded: 0,
})

/** A finished run as a live event, for those who see the rule. */
export const toldOf = (run: RuleRun, rule: DetectionRule) => ({
  ...run,
  rule_name: rule.name,
  audience: audienceOf(rule),
})

const MOST_LOGS = 200
const MOST_SAMPLES = 20

export type RunContext = {
  raising: AlertRaising
  /** So many hits of a rule are recorded in one run: one that matches everything must not fill the database. */
  hitCap: number
  trigger: RunTrigger
  now: number
  principal?: Principal | undefined
} & Pick<Changes, 'internalWorkflow'>

export async function recordFound(
  run: RunContext,
  rule: DetectionRule,
  { hits: all, settled }: { hits: Hit<StoredLog>[]; settled?: Settled | undefined },
  tally: Tally,
): Promise<void> {
  const hits = all.slice(0, Math.max(0, run.hitCap - tally.recorded))
  tally.unrecorded += all.length - hits.length
  tally.matched += all.length - hits.length
  if (hits.length === 0 && all.length > 0) return
  const found = { rule, hits, settled, trigger: run.trigger, runId: tally.runId, now: run.now }
  const recorded = await run.internalWorkflow(
    (change) => recordHits(run.raising, change, found),
    run.principal,
  )
  tally.recorded += hits.length
  tally.matched += recorded.matched.length
  tally.held += recorded.held.length
  tally.logs = [...tally.logs, ...recorded.matched].slice(-MOST_LOGS)
  for (const id of recorded.alertIds) tally.alertIds.add(id)
}

/** The record of a run that is over; `error` when it failed. */
export function runOf(
  run: Pick<RunContext, 'trigger' | 'principal'>,
  ruleId: string,
  tally: Tally,
  rest: Pick<
    NewRun,
    'window_from' | 'window_to' | 'lateness_ms' | 'gap_ms' | 'started_at' | 'completed_at'
  > & { events_scanned: number; error: string | null },
): NewRun {
  return {
    id: tally.runId,
    rule_id: ruleId,
    trigger_mode: run.trigger,
    status: rest.error === null ? 'completed' : 'failed',
    match_count: tally.matched,
    suppressed_count: tally.held,
    unrecorded_count: tally.unrecorded,
    sample_log_ids: tally.logs
      .slice(-MOST_SAMPLES)
      .reverse()
      .map(({ id }) => id),
    alert_ids: [...tally.alertIds],
    run_by: run.principal?.username ?? 'system',
    ...rest,
  }
}

/** A failure as the run record tells it: what may be told, and nothing of a bug but that it was one. */
export function failureText(error: unknown): string {
  return error instanceof AppError
    ? error.message
    : 'the run failed inside the service: see its log'
}
