import type { LogRecord } from '@manara/log-query/event'

/** What a rule found: the event that completes it, and the events (itself too) it took. */
export type Hit<Log extends LogRecord = LogRecord> = {
  log: Log
  /** Oldest first; the newest few of a long window. */
  members: string[]
  /** Of a new_terms rule: a hit only if this was not seen before. */
  term?: string
}

export type Detector = {
  /**
   * Events that match one of the rule's queries (`steps` are their places in `ruleQueries`), in
   * order of time and id. The answer depends on the events of the last `lookBackMs` alone, so that
   * runs over overlapping stretches of time find the same hits.
   */
  feed<Log extends LogRecord>(log: Log, steps: number[]): Hit<Log> | undefined
}
