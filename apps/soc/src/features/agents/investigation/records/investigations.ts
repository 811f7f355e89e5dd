import { randomUUID } from 'node:crypto'
import { AppError, conflict } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type {
  Conclusion,
  Investigation,
  InvestigationRequest,
} from '@manara/soc-contract/investigation'
import type { Kysely } from 'kysely'
import { hiding } from '../../../../core/access/reader.ts'
import type { Changes } from '../../../../core/change/operator-change.ts'
import type { Principal } from '../../../../core/identity/principal.ts'
import type { Tables } from '../../../../db/tables.ts'
import { createWorker } from '../../../../db/worker.ts'
import { type InvestigationRow, toHeard, toInvestigation } from './investigation-record.ts'
import {
  claimAbandoned,
  insertInvestigation,
  investigationById,
  releaseAll,
  renewLease,
  setCancelled,
  setEnded,
  setProgress,
  unseenBy,
} from './investigations.store.ts'

type Run = (
  request: InvestigationRequest,
  how: { signal: AbortSignal; tell(step: string, events: number): void },
) => Promise<Conclusion>

export type InvestigationsDeps = {
  db: Kysely<Tables>
  run: Run
  isReady(): boolean
  log: Logger
  leaseMs?: number | undefined
} & Pick<Changes, 'internalWorkflow'>

const LEASE_MS = 15_000
const MOST_ATTEMPTS = 3
const LONGEST_MS = 120_000
const TELL_MS = 500

type Running = { stop: AbortController; ended: Promise<void> }

/** Investigations as records: begun, told about, ended, cancelled, and taken up after a crash. */
export function createInvestigations(deps: InvestigationsDeps) {
  const { db, internalWorkflow, log, leaseMs = LEASE_MS } = deps
  const owner = randomUUID()
  const running = new Map<string, Running>()
  const stopping = new AbortController()

  const takeUp = createWorker({
    async pass() {
      if (stopping.signal.aborted) return false
      // What runs here is not abandoned, however late a machine that slept is with its lease.
      for (const row of await claimAbandoned(db, { owner, leaseMs }, [...running.keys()])) {
        if (row.attempts > MOST_ATTEMPTS) await end(row.id, INTERRUPTED)
        else void begin(row)
      }
      return false
    },
    isReady: deps.isReady,
    pollMs: leaseMs,
    gapMs: 0,
    log,
  })

  function begin(row: InvestigationRow): Promise<void> {
    const stop = new AbortController()
    const ended = work(row, stop).finally(() => running.delete(row.id))
    running.set(row.id, { stop, ended })
    return ended
  }

  async function work(row: InvestigationRow, stop: AbortController): Promise<void> {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LONGEST_MS)])
    const beat = setInterval(() => void renew(row.id, stop), leaseMs / 3)
    const { tell, told } = createTelling(row.id)
    try {
      const { alert_context, has_cps_assets, severity } = row.request
      const request = { alert_context, has_cps_assets, ...(severity && { severity }) }
      // In the view of whoever asked, also when another process goes on with it.
      const conclusion = await hiding(unseenBy(row), () => deps.run(request, { signal, tell }))
      await told()
      await end(row.id, { status: 'completed', conclusion })
    } catch (error) {
      // Cancelled, or handed back because the service stops: what the record says already holds.
      if (stop.signal.aborted) return
      if (!signal.aborted && !(error instanceof AppError)) {
        log.error({ err: error, investigation: row.id }, 'an investigation failed')
      }
      await end(row.id, { status: 'failed', error: explain(error, signal.aborted) }).catch(
        (failure: unknown) => log.error({ err: failure }, 'an investigation was not recorded'),
      )
    } finally {
      clearInterval(beat)
    }
  }

  async function renew(id: string, stop: AbortController) {
    const isOurs = await renewLease(db, id, { owner, leaseMs }).catch(() => true)
    if (!isOurs) stop.abort()
  }

  /** Not every step is worth a row: one in a while, and nobody waits for it. */
  function createTelling(id: string) {
    let lastAt = Number.NEGATIVE_INFINITY
    let writing = Promise.resolve()
    return {
      told: () => writing,
      tell(step: string, events: number) {
        if (performance.now() - lastAt < TELL_MS) return
        lastAt = performance.now()
        writing = internalWorkflow(async (change) => {
          const row = await setProgress(change.tx, id, owner, { step, events })
          if (row) await change.publish('investigation.progress', toHeard(row))
        }).catch(() => {})
      },
    }
  }

  async function end(id: string, ended: Parameters<typeof setEnded>[3]) {
    await internalWorkflow(async (change) => {
      const row = await setEnded(change.tx, id, owner, ended)
      if (!row) return
      const after = { status: row.status, verdict: row.verdict, error: row.error }
      await change.audit({
        action: `investigation.${row.status}`,
        target: `investigation:${id}`,
        after,
      })
      await change.publish(`investigation.${row.status}`, toHeard(row))
    })
  }

  return {
    begin() {
      takeUp.start()
      takeUp.wake()
    },

    /** Resolves once it is recorded; `ended` when it is over, however it ended. */
    async start(request: InvestigationRequest, principal: Principal) {
      const row = await internalWorkflow(async (change) => {
        const inserted = await insertInvestigation(change.tx, request, principal.username, {
          owner,
          leaseMs,
        })
        await change.audit({
          action: 'investigation.start',
          target: `investigation:${inserted.id}`,
          after: toInvestigation(inserted).request,
        })
        await change.publish('investigation.started', toHeard(inserted))
        return inserted
      }, principal)
      return { id: row.id, ended: begin(row) }
    },

    async read(id: string): Promise<Investigation> {
      return toInvestigation(await investigationById(db, id))
    },

    /** 409 when it has ended already. */
    async cancel(asked: string, principal: Principal): Promise<Investigation> {
      const { id } = await investigationById(db, asked)
      const row = await internalWorkflow(async (change) => {
        const cancelled = await setCancelled(change.tx, id)
        if (!cancelled) throw conflict('the investigation has ended: there is nothing to cancel')
        await change.audit({ action: 'investigation.cancel', target: `investigation:${id}` })
        await change.publish('investigation.cancelled', toHeard(cancelled))
        return cancelled
      }, principal)
      running.get(id)?.stop.abort()
      return toInvestigation(row)
    },

    async stop() {
      stopping.abort()
      await takeUp.stop()
      const left = [...running.values()]
      for (const { stop } of left) stop.abort()
      await Promise.all(left.map(({ ended }) => ended))
      if (left.length > 0) await releaseAll(db, owner).catch(() => {})
    },
  }
}

const INTERRUPTED = {
  status: 'failed',
  error: 'the service ended several times while it ran: ask again about a shorter time',
} as const

function explain(error: unknown, isOver: boolean): string {
  if (isOver) return 'it took longer than two minutes: ask about fewer hosts or a shorter time'
  return error instanceof AppError
    ? error.message
    : 'something unexpected happened: it is in the log of the service'
}
