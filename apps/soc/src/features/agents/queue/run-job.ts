import { sql } from 'kysely'
import { isAway } from '../../../core/mode/is-away.ts'
import { specOf } from '../registry/catalogue.ts'
import type { Agents, Run } from './agent-work.ts'
import { budgetedLogs } from './budgeted-logs.ts'
import type { Claimed } from './claim-jobs.ts'
import { BudgetOver, createBudget } from './domain/budget.ts'
import { LOST, type RunDeps } from './engine.ts'
import { failJob } from './fail-job.ts'
import { type Outcome, settleJob } from './settle-job.ts'

/** Reads, then stores all that came of it with the word that the job is done. */
export async function runJob(deps: RunDeps, job: Claimed, broken: AbortSignal): Promise<void> {
  const startedAt = new Date()
  const outcome = emptyOutcome()
  const spec = specOf(job.agentId)
  const work = deps.agents[job.agentId as keyof Agents]
  if (!spec || !work) throw new Error(`${job.agentId} is not one of the agents`)
  const budget = createBudget(spec.limits)
  const late = AbortSignal.timeout(spec.limits.ms)
  const signal = AbortSignal.any([broken, late])
  const run: Run = {
    db: deps.db,
    logs: budgetedLogs(deps.logs, budget, signal),
    signal,
    now: deps.now,
    lookedUntil: job.lookedUntil?.getTime(),
    step: (what, count) => void outcome.steps.push({ what, count: count ?? null }),
    found: (finding) => void outcome.findings.push(finding),
    propose: (proposal) => void outcome.proposals.push(proposal),
    record: (write) => void outcome.writes.push(write),
    askFor: (next) => void outcome.jobs.push(next),
    say(summary) {
      outcome.summary = summary
    },
  }
  const used = () => ({ ...budget.used, ms: Date.now() - startedAt.getTime() })
  try {
    await work.run(job, run).catch((error) => {
      if (broken.aborted) throw error
      if (error instanceof BudgetOver) outcome.partial = error.message
      else if (late.aborted) outcome.partial = `${spec.limits.ms / 1_000} s were used up`
      else throw error
    })
    if (broken.aborted) throw new Error('broken off')
    await settleJob(deps, job, outcome, { startedAt, used: used() })
  } catch (error) {
    if (broken.aborted || error === LOST || isAway(error)) {
      await release(deps, job).catch(() => {})
      return
    }
    deps.log.warn({ err: error, agent: spec.name, job: job.key }, 'a run of an agent failed')
    await failJob(deps, job, error, { startedAt, used: used() })
  }
}

/** It was not its fault: whoever comes next begins again. */
async function release({ db, owner }: RunDeps, { id }: Claimed) {
  await sql`
    UPDATE agent_jobs SET status = 'pending', owner = NULL, lease_until = NULL,
      attempts = greatest(0, attempts - 1), run_at = now() + interval '1 second'
    WHERE id = ${id} AND owner = ${owner} AND status = 'running'`.execute(db)
}

const emptyOutcome = (): Outcome => ({
  summary: '',
  partial: null,
  steps: [],
  findings: [],
  proposals: [],
  writes: [],
  jobs: [],
})
