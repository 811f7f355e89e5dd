import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isConnectionFailure } from '../../../../db/connection-failure.ts'
import type { Tables } from '../../../../db/tables.ts'
import { createWorker } from '../../../../db/worker.ts'
import type { BreakOff } from '../failure.ts'
import type { Engine } from '../own-execution.ts'
import { runSteps } from '../step/run-steps.ts'

const AT_ONCE = 10
const POLL_MS = 1_000
const GRACE_MS = 700

export type Executor = {
  start(): void
  /** Something may be due, or asked to be cancelled. */
  wake(): void
  /** Lets steps under way end for a moment; what does not is recovered by whoever comes next. */
  stop(): Promise<void>
}

/**
 * Claims executions that are due and runs them. Any number of processes share the work: a claim is
 * a lease that its holder renews, so that what belonged to a dead process is taken over. `instance`
 * is this process's data directory: what a predecessor there held is free at once.
 */
export function createExecutor(
  engine: Engine & {
    db: Kysely<Tables>
    isReady(): boolean
    instance: string
    leaseMs: number
  },
): Executor {
  const { db, owner, instance, leaseMs, log } = engine
  const underWay = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  const timers = new Set<NodeJS.Timeout>()
  let stopped = false
  let renewing: Promise<void> | undefined

  const lease = untilIn(leaseMs)

  async function claim(): Promise<boolean> {
    const free = AT_ONCE - underWay.size
    if (free <= 0 || stopped) return false
    const except = [...underWay.keys()]
    for (const row of await claimDue(db, { owner, instance, leaseMs, except, free })) begin(row)
    await wakeForNext()
    return false
  }

  function begin({ id, playbook_id }: { id: string; playbook_id: string }) {
    const abort = new AbortController()
    const ended = runSteps(engine, {
      id,
      playbookId: playbook_id,
      signal: abort.signal,
      isStopping: () => stopped,
      begun: new Set(),
    })
      .catch((error) => log.error({ err: error, execution: id }, 'an execution stopped'))
      .finally(() => {
        underWay.delete(id)
        worker.wake()
      })
    underWay.set(id, { abort, ended })
  }

  /** One that waits for less than a poll should not wait longer than it asked for. */
  async function wakeForNext() {
    const next = await db
      .selectFrom('executions')
      .select(sql<string>`extract(epoch FROM min(resume_at) - now()) * 1000`.as('ms'))
      .where('owner', 'is', null)
      .where('resume_at', '>', sql<Date>`now()`)
      .where('resume_at', '<', sql<Date>`now() + ${POLL_MS} * interval '1 millisecond'`)
      .where('status', 'in', ['pending', 'pending_approval', 'running'])
      .executeTakeFirst()
    if (next?.ms == null) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      worker.wake()
    }, Number(next.ms) + 1)
    timers.add(timer.unref())
  }

  /** Not waited for: a step's own transaction may hold its row for a while, which is as good. */
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

  async function renew() {
    const asked = [...underWay]
    const held = await db
      .updateTable('executions')
      .set({ lease_until: lease })
      .where('owner', '=', owner)
      .where('id', '=', sql<string>`ANY(${asked.map(([id]) => id)}::uuid[])`)
      .returning(['id', 'cancel_requested_by'])
      .execute()
    const byId = new Map(held.map((row) => [row.id, row]))
    for (const [id, { abort }] of asked) {
      const row = byId.get(id)
      // One that was just parked is not ours either, and is past breaking off.
      if (!row) abort.abort('lost' satisfies BreakOff)
      else if (row.cancel_requested_by !== null) abort.abort('cancelled' satisfies BreakOff)
    }
  }

  const worker = createWorker({
    pass() {
      keep()
      return claim()
    },
    isReady: engine.isReady,
    pollMs: Math.min(POLL_MS, leaseMs / 3),
    gapMs: 10,
    log,
  })

  return {
    start() {
      worker.start()
      worker.wake()
    },
    wake: worker.wake,
    async stop() {
      stopped = true
      await worker.stop()
      for (const timer of timers) clearTimeout(timer)
      if (underWay.size === 0) return
      const ended = Promise.all([...underWay.values()].map((one) => one.ended))
      // No further step begins; one that is under way gets a moment.
      await Promise.race([ended, moment()])
      for (const { abort } of underWay.values()) abort.abort('stopped' satisfies BreakOff)
      await Promise.race([ended.then(release), moment()])
    },
  }

  /** Others need not wait for the lease to run out. If the database is away they have to. */
  async function release() {
    await db
      .updateTable('executions')
      .set({ owner: null, lease_until: null })
      .where('owner', '=', owner)
      .execute()
      .catch(() => {})
  }
}

const untilIn = (ms: number) => sql<Date>`now() + ${ms} * interval '1 millisecond'`

/**
 * Those that are due, at most `free`. What begins, was decided or is taken back goes before what
 * only looks whether something has come, by a minute at most: many that look must not hold it up.
 */
export async function claimDue(
  db: Kysely<Tables>,
  claim: { owner: string; instance: string; leaseMs: number; except: string[]; free: number },
): Promise<{ id: string; playbook_id: string }[]> {
  const { owner, instance, leaseMs, except, free } = claim
  const { rows } = await sql<{ id: string; playbook_id: string }>`
    UPDATE executions SET owner = ${owner}, lease_until = ${untilIn(leaseMs)}
    WHERE id IN (
      SELECT id FROM executions
      WHERE (status IN ('pending', 'pending_approval', 'running') OR rollback = 'pending')
        AND resume_at <= now()
        AND id <> ALL(${except}::uuid[])
        AND (owner IS NULL OR lease_until < now()
          OR (starts_with(owner, ${`${instance}/`}) AND owner <> ${owner}))
      ORDER BY resume_at - CASE WHEN status = 'running' AND rollback <> 'pending'
        THEN interval '0' ELSE interval '1 minute' END
      LIMIT ${free} FOR UPDATE SKIP LOCKED
    ) RETURNING id, playbook_id`.execute(db)
  return rows
}

const moment = () => pause(GRACE_MS, undefined, { ref: false })
