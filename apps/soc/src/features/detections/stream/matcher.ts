import { startThread } from '@manara/kit/thread/start-thread'
import type { LogBatch } from '../../../core/arrivals/log-batch.ts'
import { linesOf } from '../../../core/arrivals/log-lines.ts'
import type { Hits, Matches } from '../../../core/arrivals/matched.ts'
import type { StoredLog } from '../../../ports/log-store.ts'
import type { MatcherCalls } from './matcher-worker.ts'
import type { Found, MatchRule, Unusable } from './rule-set.ts'

/** A set of rules beside the event loop; every call rejects once its thread has died. */
export type Matcher = {
  set(rules: MatchRule[], now: number): Promise<Unusable[]>
  delete(ids: string[]): Promise<void>
  match(batch: LogBatch): Promise<Matches & { hits: Hits }>
  detect(logs: StoredLog[]): Promise<Found[]>
  close(): Promise<void>
}

/**
 * Room for what lives shortly: with as much as V8 takes by itself the thread has twice the memory
 * and is no quicker.
 */
const YOUNG_MB = 24

export const startMatcherThread = () =>
  startThread<MatcherCalls>(new URL('./matcher-worker.ts', import.meta.url), {
    worker: { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } },
  })

export function startMatcher(): Matcher {
  const thread = startMatcherThread()
  return {
    set: (rules, now) => thread.call('set', [rules, now]),
    delete: (ids) => thread.call('delete', [ids]),
    match: (batch) => thread.call('match', [batch.lines()]),
    detect: (logs) => thread.call('detect', [searchedLines(logs)]),
    close: thread.end,
  }
}

/** No query looks at the original: its fields are there already. Hardly any event has one. */
const searchedLines = (logs: StoredLog[]) =>
  linesOf(logs.map((log) => (log.original === null ? log : { ...log, original: null })))
