import type { Logger } from '@manara/kit/logging'
import { nextTurn } from '@manara/kit/turns'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'
import { createWorker } from '../../../../db/worker.ts'
import type { LogStore, StoredLog } from '../../../../ports/log-store.ts'
import { type Baseline, NO_BASELINE } from '../../domain/investigation/baseline.ts'
import { hitsOfLogs } from '../gather/evidence.store.ts'
import { type AnalystThread, slim, type Threads } from '../thread/threads.ts'
import { claimDay, DAYS, keepDay, newestLearnt, readBaseline } from './baselines.store.ts'

export type LearnDeps = {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'scan'>
  threads: Threads
  isReady(): boolean
  now(): number
  log: Logger
}

const DAY_MS = 86_400_000
const POLL_MS = 10 * 60_000
const LEASE_MS = 60 * 60_000
const MOST_EVENTS = 2_000_000
const AT_ONCE = 200

/**
 * What is usual here, learnt a day at a time once the day is over. Events that come later than that
 * are not learnt: a baseline is a habit, not an account.
 */
export function createLearning(deps: LearnDeps) {
  const { db } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const worker = createWorker({
    async pass() {
      const day = await claimDay(db, daysBefore(deps.now()), LEASE_MS)
      if (day === undefined) return false
      await deps.threads.use(signal, (thread) => learnDay(deps, thread, day, signal))
      return !signal.aborted
    },
    isReady: deps.isReady,
    pollMs: POLL_MS,
    gapMs: 0,
    log: deps.log,
  })

  return {
    start: worker.start,
    wake: worker.wake,
    async stop() {
      stopping.abort()
      await worker.stop()
    },
  }
}

function daysBefore(now: number): string[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  return Array.from({ length: DAYS }, (_, back) =>
    new Date(today - (back + 1) * DAY_MS).toISOString().slice(0, 10),
  )
}

async function learnDay(
  { db, logs }: LearnDeps,
  thread: AnalystThread,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  const from = Date.parse(day)
  let events = 0
  for await (const batch of logs.scan(
    { query: { kind: 'all' }, time: { from, to: from + DAY_MS } },
    { signal },
  )) {
    await learnBatch(db, thread, batch)
    events += batch.length
    if (events >= MOST_EVENTS) break
  }
  const learnt = await thread.call('learnt', [])
  await keepDay(db, day, learnt, { events, isPartial: events >= MOST_EVENTS })
}

async function learnBatch(db: Kysely<Tables>, thread: AnalystThread, batch: StoredLog[]) {
  const rules = new Map<string, string[]>()
  for (const hit of await hitsOfLogs(
    db,
    batch.map(({ id }) => id),
  )) {
    rules.set(hit.log_id, [...(rules.get(hit.log_id) ?? []), hit.rule_id])
  }
  for (let at = 0; at < batch.length; at += AT_ONCE) {
    await nextTurn()
    const part = batch.slice(at, at + AT_ONCE)
    const hits = part.flatMap(({ id }) => {
      const matched = rules.get(id)
      return matched ? [[id, matched] as [string, string[]]] : []
    })
    await thread.call('learn', [JSON.stringify(part.map(slim)), hits])
  }
}

/** The baseline, read again only when another day was learnt. */
export function createBaselineReader(db: Kysely<Tables>) {
  let known: { at: number; baseline: Baseline } = { at: 0, baseline: NO_BASELINE }
  return async (): Promise<Baseline> => {
    const at = await newestLearnt(db)
    if (at !== known.at) known = { at, baseline: await readBaseline(db) }
    return known.baseline
  }
}
