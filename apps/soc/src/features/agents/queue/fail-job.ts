import { randomUUIDv7 } from 'node:crypto'
import { storable } from '@manara/soc-contract/storable'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Claimed } from './claim-jobs.ts'
import { waitAfterFailure } from './domain/backoff.ts'
import { isFailing } from './domain/health.ts'
import { LOST, type RunDeps } from './engine.ts'
import { countRun, principalOf, type Spent } from './settle-job.ts'

const LOOKED_AT = 20

/** Tried again later or, after the last time, given up and visible; and it counts against the agent. */
export async function failJob(deps: RunDeps, job: Claimed, thrown: unknown, spent: Spent) {
  const error = errorText(thrown)
  const waitMs = waitAfterFailure(job.attempt)
  await deps
    .internalWorkflow(async (change) => {
      await giveBack(change, deps.owner, job, error, waitMs)
      await countFailure(change, job, error, spent)
    }, principalOf(job.agentId))
    .catch((failure) => {
      if (failure !== LOST) throw failure
    })
}

/** A failed run that people can read, and that counts against the agent. */
export async function countFailure(
  change: ChangeContext,
  job: Pick<Claimed, 'agentId' | 'key' | 'attempt'>,
  error: string,
  spent: Spent,
) {
  await storeFailure(change, job, error, spent)
  await countRun(change.tx, job.agentId, spent, error)
  await judge(change, job.agentId)
}

export function errorText(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return storable(message).slice(0, 2_000)
}

async function giveBack(
  { tx }: ChangeContext,
  owner: string,
  { id }: Claimed,
  error: string,
  waitMs: number | undefined,
) {
  const { numAffectedRows = 0n } = await sql`
    UPDATE agent_jobs SET status = ${waitMs === undefined ? 'failed' : 'pending'}, owner = NULL,
      lease_until = NULL, error = ${error},
      ended_at = CASE WHEN ${waitMs === undefined} THEN now() END,
      run_at = now() + ${waitMs ?? 0} * interval '1 millisecond'
    WHERE id = ${id} AND owner = ${owner} AND status = 'running'`.execute(tx)
  if (numAffectedRows === 0n) throw LOST
  if (waitMs !== undefined) return
  // What was worked together with it may be well: each is tried alone.
  await sql`
    UPDATE agent_jobs SET status = 'pending', joined_to = NULL, group_key = NULL
    WHERE joined_to = ${id} AND status = 'joined'`.execute(tx)
}

async function storeFailure(
  { tx }: ChangeContext,
  job: Pick<Claimed, 'agentId' | 'key' | 'attempt'>,
  error: string,
  { startedAt, used }: Spent,
) {
  await tx
    .insertInto('agent_runs')
    .values({
      id: randomUUIDv7(),
      agent_id: job.agentId,
      key: storable(job.key),
      attempt: job.attempt,
      status: 'failed',
      summary: '',
      steps: '[]',
      findings: 0,
      proposals: 0,
      dropped: 0,
      used: JSON.stringify(used),
      partial: null,
      error,
      started_at: startedAt,
    })
    .execute()
}

async function judge(change: ChangeContext, agentId: string) {
  const { rows } = await sql<{ failed: boolean }>`
    SELECT agent_runs.status = 'failed' AS failed FROM agent_runs
    JOIN agents ON agents.id = agent_id
    WHERE agent_id = ${agentId}
      AND completed_at > coalesce(recovered_at, '-infinity')
    ORDER BY completed_at DESC LIMIT ${LOOKED_AT}`.execute(change.tx)
  if (!isFailing(rows)) return
  const { numAffectedRows = 0n } = await sql`
    UPDATE agents SET failing_since = now(), probe_at = now() + interval '5 minutes'
    WHERE id = ${agentId} AND failing_since IS NULL`.execute(change.tx)
  if (numAffectedRows === 0n) return
  await change.audit({ action: 'agent.fail', target: `agent:${agentId}` })
  await change.publish('agent.updated', { id: agentId, status: 'error' })
}
