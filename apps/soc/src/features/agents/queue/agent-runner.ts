import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isConnectionFailure } from '../../../db/connection-failure.ts'
import type { Tables } from '../../../db/tables.ts'
import { createWorker } from '../../../db/worker.ts'
import { agentsWithWork, type Claimant, type Claimed, claimJobs } from './claim-jobs.ts'
import type { BreakOff, RunDeps } from './engine.ts'
import { runJob } from './run-job.ts'

const AT_ONCE = 12
const POLL_MS = 1_000
const GRACE_MS = 700

export type AgentRunner = {
  start(): void
  /** Something may be due, or the kill switch was used. */
  wake(): void
  /** Breaks off what runs; what does not end at once is free when its lease is over. */
  stop(): Promise<void>
}

/** Claims jobs and runs them. Any number of processes share the work. */
export function createAgentRunner(
  deps: RunDeps &
    Omit<Claimant, 'underWay'> & {
      db: Kysely<Tables>
      isReady(): boolean
      /** While true it works on one job at a time, and rests in between. */
      standsBack(): boolean
    },
): AgentRunner {
  const { db, owner, leaseMs, log, agents } = deps
  const underWay = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  const claimant = { ...deps, underWay: () => [...underWay.keys()] }
  const stopping = Promise.withResolvers<void>()
  let stopped = false
  let renewing: Promise<void> | undefined

  async function claim(): Promise<boolean> {
    const atOnce = deps.standsBack() ? 1 : AT_ONCE
    for (const agentId of await agentsWithWork(db, claimant)) {
      const room = atOnce - underWay.size
      if (room <= 0 || stopped) break
      if (!Object.hasOwn(agents, agentId)) continue
      for (const job of await claimJobs(db, claimant, agentId, room)) begin(job)
    }
    if (deps.standsBack()) await Promise.race([allEnded(), stopping.promise])
    return false
  }

  const allEnded = () => Promise.all([...underWay.values()].map((one) => one.ended))

  function begin(job: Claimed) {
    const abort = new AbortController()
    const ended = runJob(deps, job, abort.signal)
      .catch((error) => {
        if (!isConnectionFailure(error)) log.error({ err: error, job: job.id }, 'a job was left')
      })
      .finally(() => {
        underWay.delete(job.id)
        worker.wake()
      })
    underWay.set(job.id, { abort, ended })
  }

  function keep() {
    if (renewing || underWay.size === 0) return
    renewing = renew()
      .catch((error) => {
        if (!isConnectionFailure(error)) log.error({ err: error }, 'leases were not renewed')
      })
      .finally(() => {
        renewing = undefined
      })
  }

  /** Keeps what is ours; what is not any more, or what the kill switch stopped, is broken off. */
  async function renew() {
    const asked = [...underWay]
    const { rows } = await sql<{ id: string; is_paused: boolean }>`
      UPDATE agent_jobs SET lease_until = now() + ${leaseMs} * interval '1 millisecond'
      FROM agent_pause
      WHERE id = ANY(${asked.map(([id]) => id)}::uuid[]) AND owner = ${owner}
        AND status = 'running'
      RETURNING id, is_paused`.execute(db)
    const held = new Map(rows.map((row) => [row.id, row]))
    for (const [id, { abort }] of asked) {
      const row = held.get(id)
      if (!row) abort.abort('lost' satisfies BreakOff)
      else if (row.is_paused) abort.abort('paused' satisfies BreakOff)
    }
  }

  let keeper: NodeJS.Timeout | undefined
  const worker = createWorker({
    pass: claim,
    isReady: deps.isReady,
    pollMs: Math.min(POLL_MS, leaseMs / 3),
    gapMs: 10,
    standsBack: deps.standsBack,
    log,
  })

  return {
    start() {
      keeper ??= setInterval(keep, leaseMs / 3).unref()
      worker.start()
      worker.wake()
    },
    wake() {
      keep()
      worker.wake()
    },
    async stop() {
      stopped = true
      stopping.resolve()
      await worker.stop()
      clearInterval(keeper)
      if (underWay.size === 0) return
      const ended = allEnded()
      // Whatever was read so far is read again by whoever comes next.
      for (const { abort } of underWay.values()) abort.abort('stopped' satisfies BreakOff)
      await Promise.race([ended, pause(GRACE_MS, undefined, { ref: false })])
    },
  }
}
