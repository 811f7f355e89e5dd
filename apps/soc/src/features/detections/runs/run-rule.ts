import type { RuleRun, RunRequest } from '@manara/soc-contract/detections'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Principal } from '../../../core/identity/principal.ts'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import { ruleQueries } from '../domain/rule-query.ts'
import { ruleById } from '../rules/rules.store.ts'
import { learnBaseline } from './learn-baseline.ts'
import type { AlertRaising } from './raise-alerts.ts'
import { emptyTally, failureText, recordFound, runOf, toldOf } from './record-run.ts'
import { insertRuns, type NewRun } from './runs.store.ts'
import { scanRules } from './scan-rules.ts'
import { tellCapped } from './tell-capped.ts'

export type RunDeps = {
  db: Kysely<Tables>
  logs: LogStore
  raising: AlertRaising
  now(): number
  hitCap: number
} & Pick<Changes, 'internalWorkflow'>

const DAY = 86_400_000

/** By hand: over what arrived in the last day, or over the stretch of time that was asked for. */
export async function runRule(
  deps: RunDeps,
  ruleId: string,
  principal: Principal,
  asked: RunRequest,
) {
  // As a workflow, so that the mode is asked before anything is looked at.
  const rule = await deps.internalWorkflow(({ tx }) => ruleById(tx, ruleId, principal), principal)
  const started = deps.now()
  const { time, received, ...window } = windowOf(asked, started)
  const run = { ...deps, trigger: 'manual' as const, now: started, principal }
  const tally = emptyTally()

  async function search(): Promise<number> {
    const queries = ruleQueries(rule, started)
    await learnBaseline(deps, rule, window.window_from.getTime())
    return scanRules(deps.logs, [{ rule, queries, time, received }], (_, hits, settled) =>
      recordFound(run, rule, { hits, settled }, tally),
    )
  }
  const finish = (events_scanned: number, error: string | null) =>
    finishRun(
      deps,
      principal,
      runOf(run, rule.id, tally, {
        ...window,
        lateness_ms: 0,
        gap_ms: 0,
        started_at: new Date(started),
        completed_at: new Date(deps.now()),
        events_scanned,
        error,
      }),
    )

  const scanned = await search().catch(async (error: unknown) => {
    await finish(0, failureText(error))
    throw error
  })
  return {
    ...(await finish(scanned, null)),
    total: tally.matched,
    suppressed_count: tally.held,
    logs: tally.logs.toReversed(),
  }
}

function windowOf({ from, to }: RunRequest, now: number) {
  const end = to?.getTime() ?? now
  const begin = from?.getTime() ?? end - DAY
  const isAsked = from !== undefined || to !== undefined
  return {
    window_from: new Date(begin),
    window_to: new Date(end),
    time: isAsked ? { from: begin, to: end } : {},
    received: isAsked ? {} : { from: begin },
  }
}

async function finishRun(deps: RunDeps, principal: Principal, finished: NewRun) {
  return deps.internalWorkflow(async (change) => {
    await change.tx
      .updateTable('detection_rules')
      .set({ last_run_at: finished.started_at })
      .where('id', '=', finished.rule_id)
      .execute()
    const rule = await ruleById(change.tx, finished.rule_id, principal)
    const [run] = (await insertRuns(change.tx, [finished])) as [RuleRun]
    await change.audit({ action: 'rule.run', target: `rule:${rule.id}`, after: run })
    await change.publish(`rule_run.${run.status}`, toldOf(run, rule))
    await tellCapped(deps.raising, change, rule, { count: run.unrecorded_count, now: deps.now() })
    return { rule, run }
  }, principal)
}
