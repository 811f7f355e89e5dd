import { randomUUID } from 'node:crypto'
import { unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { startTurns } from '@manara/kit/turns'
import type { LogSelection } from '../../../ports/log-store.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { nextRun, retryAfterFailure, runWindow } from '../domain/schedule.ts'
import { claimDueRules, type DueRule, releaseRules, renewLease } from './due-rules.store.ts'
import { learnBaseline } from './learn-baseline.ts'
import { emptyTally, failureText, recordFound, runOf, type Tally, toldOf } from './record-run.ts'
import type { RunDeps } from './run-rule.ts'
import { insertRuns } from './runs.store.ts'
import { scanRules, type Watched } from './scan-rules.ts'
import { tellCapped } from './tell-capped.ts'

export type ScheduleDeps = RunDeps & {
  log: Pick<Logger, 'error'>
  /** The service stops: the scan ends, and its rules are soon due again. */
  signal?: AbortSignal | undefined
}

const CLAIM_AT_ONCE = 200
const MOST_IN_A_ROUND = 5_000
const LEASE_MS = 5 * 60_000
const STOPPED = 'the service was stopped amid the run: it is repeated'

type Round = { token: string; started: number }

type Run = DueRule & {
  tally: Tally
  window: ReturnType<typeof runWindow>
  error: unknown
}

/**
 * One round of the schedule: takes the rules that are due, evaluates them together and gives them
 * back. True when there were more than it could take.
 */
export async function runDueRules(deps: ScheduleDeps): Promise<boolean> {
  const started = deps.now()
  const token = randomUUID()
  const due = await claimAll(deps, { token, started })
  if (due.length === 0) return false
  const runs = due.map(
    (one): Run => ({
      ...one,
      tally: emptyTally(),
      window: runWindow(one.rule, one.coveredUntil, one.due, started),
      error: undefined,
    }),
  )
  const scanned = await evaluate(deps, runs, { token, started })
  await finish(deps, runs, { token, started, scanned })
  return due.length >= MOST_IN_A_ROUND
}

/** A few hundred at a time, so that processes that begin together share them. */
async function claimAll({ db }: ScheduleDeps, { token, started }: Round): Promise<DueRule[]> {
  const lease = { token, now: started, until: started + LEASE_MS }
  const due: DueRule[] = []
  while (due.length < MOST_IN_A_ROUND) {
    const claimed = await claimDueRules(db, lease, CLAIM_AT_ONCE)
    due.push(...claimed)
    if (claimed.length < CLAIM_AT_ONCE) break
  }
  return due
}

/** What fails for one rule fails for that one; without the logs all of them fail. */
async function evaluate(deps: ScheduleDeps, runs: Run[], round: Round): Promise<number> {
  const context = { ...deps, trigger: 'scheduled' as const, now: round.started }
  const byRule = new Map(runs.map((run) => [run.rule.id, run]))
  const turn = startTurns()
  const watched: Watched[] = []
  for (const run of runs) {
    await turn()
    await attempt(deps, run, async () => {
      const queries = ruleQueries(run.rule, round.started)
      await learnBaseline(deps, run.rule, run.window.from)
      const received = { from: run.window.from, to: run.window.to }
      watched.push({ rule: run.rule, queries, time: {}, received })
    })
  }
  if (watched.length === 0) return 0
  try {
    return await scanRules(keepingLease(deps, round), watched, async ({ rule }, hits, settled) => {
      const run = byRule.get(rule.id)
      if (!run || run.error !== undefined) return
      await attempt(deps, run, () => recordFound(context, rule, { hits, settled }, run.tally))
    })
  } catch (error) {
    const why = deps.signal?.aborted ? unavailable(STOPPED) : error
    if (why === error) deps.log.error({ err: error }, 'the logs could not be scanned for rules')
    for (const run of runs) run.error ??= why
    return 0
  }
}

/** The logs, read under a lease that does not run out while they are. */
function keepingLease({ db, logs, now, signal }: ScheduleDeps, { token, started }: Round) {
  let renewAt = started + LEASE_MS / 4
  return {
    async *scan(selection: LogSelection) {
      for await (const batch of logs.scan(selection, { signal })) {
        if (now() >= renewAt) {
          renewAt = now() + LEASE_MS / 4
          await renewLease(db, token, now() + LEASE_MS)
        }
        yield batch
      }
    },
  }
}

async function attempt(deps: ScheduleDeps, run: Run, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    run.error = error
    deps.log.error({ err: error, rule: run.rule.id }, 'a scheduled rule failed')
  }
}

async function finish(deps: ScheduleDeps, runs: Run[], round: Round & { scanned: number }) {
  const now = deps.now()
  await deps.internalWorkflow(async (change) => {
    const outcomes = runs.map((run) => outcomeOf(run, round.started, now))
    const ours = await releaseRules(change.tx, round.token, outcomes)
    // The others were taken over while this process was slow: that one's run is the record.
    const kept = runs.filter(({ rule }) => ours.has(rule.id))
    const records = await insertRuns(
      change.tx,
      kept.map((run) => recordOf(run, round, now)),
    )
    const rules = new Map(kept.map(({ rule }) => [rule.id, rule]))
    for (const run of records) {
      const isFailed = run.status === 'failed'
      if (isFailed) {
        await change.audit({ action: 'rule.run', target: `rule:${run.rule_id}`, after: run })
      }
      // Who listens wants to hear what was found; that nothing was, is in the record.
      const rule = rules.get(run.rule_id)
      if (rule && (isFailed || run.match_count + run.suppressed_count > 0)) {
        await change.publish(`rule_run.${run.status}`, toldOf(run, rule))
        await tellCapped(deps.raising, change, rule, { count: run.unrecorded_count, now })
      }
    }
  })
}

function outcomeOf({ rule, due, window, error, failures }: Run, startedAt: number, now: number) {
  return error === undefined
    ? {
        rule,
        startedAt,
        nextRunAt: nextRun(rule, due, now),
        coveredUntil: window.to,
        failures: 0,
      }
    : {
        rule,
        startedAt,
        nextRunAt: retryAfterFailure(rule, failures, now),
        coveredUntil: undefined,
        failures: failures + 1,
      }
}

function recordOf(
  { rule, tally, window, error }: Run,
  round: Round & { scanned: number },
  now: number,
) {
  return runOf({ trigger: 'scheduled' }, rule.id, tally, {
    window_from: new Date(window.from),
    window_to: new Date(window.to),
    lateness_ms: window.lateness_ms,
    gap_ms: window.gap_ms,
    started_at: new Date(round.started),
    completed_at: new Date(now),
    events_scanned: round.scanned,
    error: error === undefined ? null : failureText(error),
  })
}
