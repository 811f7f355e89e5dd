import { randomUUID } from 'node:crypto'
import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { compareText } from '@manara/log-query/fold'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Notifications } from '../../../db/notifications.ts'
import type { ReparseStep } from '../../../db/tables/log-sources.ts'
import type { Tables } from '../../../db/tables.ts'
import { createWorker } from '../../../db/worker.ts'
import type { LogSelection, LogStore, Position, StoredLog } from '../../../ports/log-store.ts'
import type { EnabledParser } from '../normalise/own/own-parsers.ts'
import {
  claimReparse,
  keepClaim,
  notePending,
  noteStep,
  noteTotal,
  type ReparseRow,
  settleReparse,
  toReparse,
} from './reparse.store.ts'
import { createRereadApart } from './reread-apart.ts'

const POLL_MS = 5_000
const BATCH_EVENTS = 4_000
const MOST_EXAMPLES = 10
const TELL_MS = 1_000
const KEEP_MS = 5_000
/** Until then another process may still have read with the parsers of before. */
const HEARD_MS = 2_000

export type ReparseDeps = {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'search' | 'scan' | 'rewrite' | 'finishRewrite'>
  enabledParsers(): Promise<EnabledParser[]>
  notifications: Pick<Notifications, 'on' | 'onGap'>
  isReady(): boolean
  now(): number
  log: Logger
  /** How often it says that it still works on a task. */
  keepMs?: number
} & Pick<Changes, 'internalWorkflow'>

/** Reads stored events again, one task at a time over all processes. */
export function runReparses(deps: ReparseDeps) {
  const { db, logs, internalWorkflow, keepMs = KEEP_MS } = deps
  const process = randomUUID()
  const apart = createRereadApart()
  const stopping = new AbortController()

  async function pass(): Promise<boolean> {
    const task = await claimReparse(db, process)
    if (!task) return false
    // Some steps take longer than a claim lasts; two must never work on one task.
    const keeping = setInterval(() => void keepClaim(db, task).catch(() => {}), keepMs).unref()
    try {
      const isWhole = task.status === 'cancelled' || (await readAgain(task))
      if (stopping.signal.aborted || !(await keepClaim(db, task))) return false
      if (!task.dry_run) await logs.finishRewrite()
      await settle(task, isWhole && task.status !== 'cancelled' ? 'done' : 'cancelled')
    } catch (error) {
      if (stopping.signal.aborted) return false
      // The store is away or full: it goes on where it stands.
      if (error instanceof AppError && error.status === 503) return false
      deps.log.error({ err: error }, 'reading stored events again failed')
      await settle(task, 'failed', error instanceof Error ? error.message : String(error))
    } finally {
      clearInterval(keeping)
    }
    return true
  }

  const settle = (task: ReparseRow, status: 'done' | 'failed' | 'cancelled', error?: string) =>
    internalWorkflow(async (change) => {
      const row = await settleReparse(change.tx, task, status, error)
      if (!row) return
      const { examples: _, ...told } = toReparse(row)
      await change.audit({
        ...{ action: `reparse.${status}`, target: `reparse:${task.id}`, after: told },
      })
      await change.publish(`reparse.${status}`, told)
    })

  /** False when it was cancelled, or taken over by another process. */
  async function readAgain(task: ReparseRow): Promise<boolean> {
    const parsers = await deps.enabledParsers()
    const selection = selectionOf(task)
    let row: ReparseRow | undefined = task
    if (task.total === null) row = await noteTotal(db, task, await countOf(selection))
    if (row && task.pending) row = await finishPending(row, parsers, task.pending)
    if (!row) return false
    let toldAt = 0
    for await (const batch of batchesOf(selection, row)) {
      row = await readBatch(row, batch, parsers)
      if (!row) return false
      if (deps.now() - toldAt < TELL_MS) continue
      toldAt = deps.now()
      await tellProgress(row)
    }
    return true
  }

  async function readBatch(row: ReparseRow, batch: StoredLog[], parsers: EnabledParser[]) {
    const wanted = MOST_EXAMPLES - row.examples.length
    const { changed, failed, examples } = await apart.reread(batch, parsers, wanted)
    const { at, id } = batch.at(-1) as StoredLog
    const counts = { read: batch.length, changed: changed.length, failed, examples }
    const step = { ...counts, cursor: { at, id } }
    if (row.dry_run || changed.length === 0) return noteStep(db, row, step, 0)
    if (!(await notePending(db, row, step))) return undefined
    const { tooNew } = await logs.rewrite(changed)
    return noteStep(db, row, step, tooNew)
  }

  /** What a process was writing when it was killed, which may be done in part. */
  async function finishPending(row: ReparseRow, parsers: EnabledParser[], step: ReparseStep) {
    let tooNew = 0
    const { time, ...rest } = selectionOf(row)
    const upTo = { ...rest, time: { ...time, to: step.cursor.at + 1 }, upTo: step.cursor }
    for await (const batch of batchesOf(upTo, row)) {
      const { changed } = await apart.reread(batch, parsers, 0)
      tooNew += (await logs.rewrite(changed)).tooNew
    }
    return noteStep(db, row, step, tooNew)
  }

  const tellProgress = (row: ReparseRow) =>
    internalWorkflow(async (change) => {
      const { examples: _, ...told } = toReparse(row)
      await change.publish('reparse.progress', told)
    })

  async function countOf(selection: LogSelection): Promise<number> {
    const { total } = await logs.search(
      {
        ...selection,
        ...{ skip: 0, limit: 0, order: 'asc', countUpTo: Number.MAX_SAFE_INTEGER },
      },
      { signal: stopping.signal },
    )
    return total ?? 0
  }

  /** From where it stands; an event that gets a later time by that is not met twice. */
  async function* batchesOf(
    { upTo, ...selection }: LogSelection & { upTo?: Position },
    { cursor_at, cursor_id }: ReparseRow,
  ): AsyncGenerator<StoredLog[]> {
    const from = cursor_at === null ? undefined : Number(cursor_at)
    const time = from === undefined ? selection.time : { ...selection.time, from }
    const isBehind = (log: StoredLog) =>
      from === undefined || comparePlaces(log, { at: from, id: cursor_id ?? '' }) > 0
    const seen = new Set<string>()
    let batch: StoredLog[] = []
    for await (const page of logs.scan({ ...selection, time }, { signal: stopping.signal })) {
      for (const log of page) {
        if (!isBehind(log) || seen.has(log.id)) continue
        if (upTo && comparePlaces(log, upTo) > 0) break
        seen.add(log.id)
        batch.push(log)
      }
      if (seen.size > MOST_SEEN) seen.clear()
      if (batch.length < BATCH_EVENTS) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  const worker = createWorker({
    ...{ pass, isReady: deps.isReady, pollMs: POLL_MS, gapMs: 0, log: deps.log },
  })
  deps.notifications.on('soc_reparses', worker.wake)
  deps.notifications.onGap(worker.wake)
  return {
    start() {
      worker.start()
      worker.wake()
    },
    async stop() {
      stopping.abort()
      await worker.stop()
      await apart.end()
    },
  }
}

const comparePlaces = (a: Position, b: Position) => a.at - b.at || compareText(a.id, b.id)

/** Ids that were met, so that none is counted twice because its time changed. */
const MOST_SEEN = 2_000_000

function selectionOf({ source, from_at, to_at, created_at }: ReparseRow): LogSelection {
  const parts = source === '' ? [] : [source]
  return {
    query: {
      ...{ kind: 'field', field: 'source' },
      match: { kind: 'pattern', parts, isCaseSensitive: true },
    },
    time: { from: from_at?.getTime(), to: to_at?.getTime() },
    received: { to: created_at.getTime() + HEARD_MS },
  }
}
