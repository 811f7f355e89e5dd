import { randomUUIDv7 } from 'node:crypto'
import { storable } from '@manara/soc-contract/storable'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Principal } from '../../../core/identity/principal.ts'
import { storableJson } from '../../../db/storable.ts'
import type { Tables } from '../../../db/tables.ts'
import { citesOf, type Known, knownLogs, knownRecords } from '../findings/cited.ts'
import { storeFindings } from '../findings/findings.store.ts'
import { storeProposal } from '../proposals/store-proposal.ts'
import { specOf } from '../registry/catalogue.ts'
import type { NewFinding, NewJob, NewProposal } from './agent-work.ts'
import type { Claimed } from './claim-jobs.ts'
import { LOST, type RunDeps } from './engine.ts'
import { enqueueJobs } from './enqueue-jobs.ts'

export type Outcome = {
  summary: string
  partial: string | null
  steps: { what: string; count: number | null }[]
  findings: NewFinding[]
  proposals: NewProposal[]
  writes: ((change: ChangeContext) => Promise<void>)[]
  jobs: NewJob[]
}

export type Spent = { startedAt: Date; used: { ms: number; events: number; queries: number } }

/** All of it or nothing: results, proposals, further jobs, and the job is done. */
export async function settleJob(deps: RunDeps, job: Claimed, outcome: Outcome, spent: Spent) {
  const logs = await knownLogs(deps.logs, [...outcome.findings, ...outcome.proposals])
  await deps.internalWorkflow(async (change) => {
    await endOwn(change, deps.owner, job)
    const known = { ...(await knownRecords(change.tx, outcome)), log_ids: logs }
    const runId = randomUUIDv7()
    const grounded = outcome.findings.filter((finding) => isGrounded(finding, known))
    const made = {
      findings: await storeFindings(change, job.agentId, runId, grounded),
      proposals: 0,
      dropped: outcome.findings.length - grounded.length,
    }
    for (const write of outcome.writes) await write(change)
    for (const proposal of outcome.proposals) {
      if (!isGrounded(proposal, known)) made.dropped += 1
      else if (await storeProposal(change, { agentId: job.agentId, runId }, proposal)) {
        made.proposals += 1
      }
    }
    await enqueueJobs(change.tx, outcome.jobs)
    const isQuiet = isTimer(job) && !outcome.partial && made.findings + made.proposals === 0
    if (isQuiet) await forget(change.tx, job)
    else await storeRun(change, job, runId, outcome, made, spent)
    await countRun(change.tx, job.agentId, spent, null)
    await recover(change, job.agentId)
  }, principalOf(job.agentId))
}

/** A claim rests on something, and all of it is there. */
function isGrounded({ cites }: { cites: NewFinding['cites'] }, known: Known): boolean {
  const named = citesOf(cites)
  return (
    named.some(([, ids]) => ids.length > 0) &&
    named.every(([kind, ids]) => ids.every((id) => known[kind].has(id)))
  )
}

/** The one place where a job becomes done; nobody's but its owner's, and not while all is paused. */
async function endOwn({ tx }: ChangeContext, owner: string, { id }: Claimed) {
  const { numAffectedRows = 0n } = await sql`
    UPDATE agent_jobs SET status = 'done', owner = NULL, lease_until = NULL, error = NULL,
      ended_at = now()
    WHERE (id = ${id} AND owner = ${owner} AND status = 'running'
        AND NOT (SELECT is_paused FROM agent_pause))`.execute(tx)
  if (numAffectedRows === 0n) throw LOST
  await sql`
    UPDATE agent_jobs SET status = 'done', ended_at = now()
    WHERE joined_to = ${id} AND status = 'joined'`.execute(tx)
}

const isTimer = ({ key }: { key: string }) => key.startsWith('timer:')

/** A timer that found nothing leaves no trace but its count. */
async function forget(tx: Kysely<Tables>, { id }: Claimed) {
  await tx.deleteFrom('agent_jobs').where('id', '=', id).execute()
}

async function storeRun(
  change: ChangeContext,
  job: Claimed,
  id: string,
  outcome: Outcome,
  made: { findings: number; proposals: number; dropped: number },
  { startedAt, used }: Spent,
) {
  const status = outcome.partial ? 'partial' : 'completed'
  await change.tx
    .insertInto('agent_runs')
    .values({
      id,
      agent_id: job.agentId,
      key: storable(job.key),
      attempt: job.attempt,
      status,
      summary: storable(outcome.summary),
      steps: storableJson(outcome.steps),
      ...made,
      used: JSON.stringify(used),
      partial: outcome.partial,
      error: null,
      started_at: startedAt,
    })
    .execute()
  if (made.findings + made.proposals === 0) return
  const { agentId: agent_id, key } = job
  // Who may not read the case that it is about is not told.
  const case_id = /^case:([^:]+)/.exec(key)?.[1] ?? null
  await change.publish('agent.run', { id, agent_id, key, case_id, status, ...made })
}

/** Also what the list of agents shows, and what the budget of an hour is counted by. */
export async function countRun(
  tx: Kysely<Tables>,
  agentId: string,
  { used }: Spent,
  error: string | null,
) {
  await sql`
    INSERT INTO agent_hours AS h (agent_id, hour, runs, errors, events, queries, ms, last_run_at,
      last_error)
    VALUES (${agentId}, date_trunc('hour', now()), 1, ${error === null ? 0 : 1}, ${used.events},
      ${used.queries}, ${used.ms}, now(), ${error})
    ON CONFLICT (agent_id, hour) DO UPDATE SET runs = h.runs + 1,
      errors = h.errors + excluded.errors, events = h.events + excluded.events,
      queries = h.queries + excluded.queries, ms = h.ms + excluded.ms,
      last_run_at = excluded.last_run_at,
      last_error = coalesce(excluded.last_error, h.last_error)`.execute(tx)
}

/** What works again is no longer failing, and only what comes from now on counts against it. */
async function recover(change: ChangeContext, agentId: string) {
  const { numAffectedRows = 0n } = await sql`
    UPDATE agents SET failing_since = NULL, probe_at = NULL, recovered_at = now()
    WHERE id = ${agentId} AND failing_since IS NOT NULL`.execute(change.tx)
  if (numAffectedRows === 0n) return
  await change.audit({ action: 'agent.recover', target: `agent:${agentId}` })
  await change.publish('agent.updated', { id: agentId, status: 'active' })
}

/** What an agent records is recorded in its own name. */
export const principalOf = (agentId: string): Principal => ({
  username: `agent:${specOf(agentId)?.name ?? agentId}`,
  role: 'service',
  permissions: new Set(),
  kind: 'agent',
})
