import type { Aggregate, Group, Places } from '@manara/log-query/aggregate'
import type { Query } from '@manara/log-query/ast'
import type { LogRecord } from '@manara/log-query/event'

/** An event as the store keeps it. */
export type StoredLog = LogRecord & {
  /** When this service took it in, milliseconds since 1970: late events are found by this. */
  received_at: number
  /** The original object as JSON, only when `fields` alone could not rebuild it. */
  original: string | null
}

/** Events as a store writes them, in one piece of memory. */
export type PackedLogs = { readonly bytes: ArrayBuffer }

/** Half open: `from <= moment < to`. */
export type TimeRange = { from?: number | undefined; to?: number | undefined }

export type LogSelection = {
  query: Query
  /** By the time of the event. */
  time: TimeRange
  /** By the time it was taken in. */
  received?: TimeRange | undefined
}

export type Position = { at: number; id: string }

/** Why an answer is not whole; null when it is. */
export type Incomplete = {
  reason: 'time_limit' | 'shard_unavailable' | 'damaged'
  detail: string
} | null

/** Events that were stored and cannot be read any more. */
export type Damage = {
  /** The log file without its ending. */
  file: string
  reason: string
  foundAt: number
  /** How many; null when that is not known. */
  lost: number | null
  /** Between which times of events; null is any. */
  from: number | null
  to: number | null
}

export type Limits = {
  /** Aborted when the caller has gone: the engine stops working, the promise rejects. */
  signal?: AbortSignal | undefined
  /** After so many milliseconds the answer is what was found until then, marked as partial. */
  timeLimitMs?: number | undefined
}

export type SearchRequest = LogSelection & {
  skip: number
  limit: number
  order: 'asc' | 'desc'
  /** Only what lies behind this event in the order asked for. */
  after?: Position | undefined
  /** How far to count the matches: 0 does not count, `total` is then null. */
  countUpTo: number
  /**
   * Instead of that limit: counts as far as it gets by reading about so many events more. Where
   * that is not enough, `total` is what was counted until then.
   */
  countEvents?: number | undefined
}

export type SearchAnswer = {
  logs: StoredLog[]
  total: number | null
  /** False when counting stopped at `countUpTo`, after `countEvents` or at the time limit. */
  isTotalExact: boolean
  partial: Incomplete
}

export type Bucket = { from: number; counts: Record<string, number> }
export type FieldSummary = {
  name: string
  types: ('text' | 'number' | 'boolean')[]
  count: number
  distinct: number
}
export type ValueCount = { value: string; count: number }

export type SourceSummary = {
  source: string
  count: number
  firstAt: number
  lastAt: number
}

/**
 * How long logs stay, counted from the day they came in: the rule of a source wins over `days`;
 * bytes are of the whole store.
 */
export type Retention = {
  days: number | undefined
  bytes: number | undefined
  daysBySource: Record<string, number>
}

/**
 * Where events are kept and searched. Every call rejects with an AppError 503 that says what to do
 * while the store cannot be reached or its disk is full; a later call may succeed.
 */
export type LogStore = {
  readonly engine: 'duckdb' | 'clickhouse'

  /**
   * Resolves when the events are on disk and searchable. An id that was stored within the last day
   * is not stored again. All of the batch is kept or, when this rejects, the caller must send it
   * again (ids make that harmless).
   */
  append(logs: StoredLog[]): Promise<{ stored: StoredLog[]; duplicates: number }>

  /**
   * A module whose `beginPack` and `unpackLogs` do so in any thread; there is none where it would gain
   * nothing.
   */
  readonly packer?: URL
  unpack?(packed: PackedLogs): StoredLog[]

  /**
   * The same for events that were packed before, each part of one day; answers which of each, by
   * place, were stored already.
   */
  appendPacked?(parts: PackedLogs[]): Promise<number[][]>

  /**
   * Does the same work with events that nobody will find, and that are gone with `end`: who sends the
   * first real ones then does not wait for what has never run. There is none where it would gain
   * nothing.
   */
  rehearse?(): { append(parts: PackedLogs[]): Promise<number[][]>; end(): Promise<void> }

  /**
   * Other readings of stored events: each takes the place of the event with its id and time of
   * arrival, whose message stays. On disk when this resolves, searched at the latest when
   * `finishRewrite` does; until then as before, never both and never neither. Doing it twice is
   * harmless, and what is not stored is not added. `tooNew` came in on a day that is not over, whose
   * events the store cannot replace yet.
   */
  rewrite(logs: StoredLog[]): Promise<{ rewritten: number; tooNew: number }>
  finishRewrite(): Promise<void>

  search(request: SearchRequest, limits?: Limits): Promise<SearchAnswer>
  byId(id: string): Promise<StoredLog | undefined>
  /**
   * Those of them that are stored, in no order and each once. Of a time of arrival only what came in
   * then: where several processes write, a few of it may have one id.
   */
  byIds(ids: string[], received?: TimeRange): Promise<StoredLog[]>

  /** Oldest first and all of them, in batches, with bounded memory; stops when not read on. */
  scan(selection: LogSelection, limits?: Limits): AsyncIterable<StoredLog[]>

  /**
   * Counts by time, each bucket split by the values of `by`, without it all under `count`; empty
   * buckets are left out.
   */
  histogram(
    request: LogSelection & { bucketMs: number; by?: 'severity' | 'source' | undefined },
    limits?: Limits,
  ): Promise<{ buckets: Bucket[]; partial: Incomplete }>

  /** How the fields of the events are called, without those that all events have; cheaper than `fields`. */
  fieldNames(
    selection: LogSelection,
    limits?: Limits,
  ): Promise<{ names: string[]; partial: Incomplete }>
  /** Those of the most events first, then by name. */
  fields(
    selection: LogSelection,
    limits?: Limits,
  ): Promise<{ fields: FieldSummary[]; partial: Incomplete }>
  /** How many events have each value, the most frequent first. */
  topValues(
    request: LogSelection & Places & { limit: number },
    limits?: Limits,
  ): Promise<{ values: ValueCount[]; partial: Incomplete }>

  /** The groups with the most events, in any order; `hasMore` when those are not all. */
  aggregate(
    request: LogSelection & Aggregate,
    limits?: Limits,
  ): Promise<{ groups: Group[]; hasMore: boolean; partial: Incomplete }>

  sources(): Promise<SourceSummary[]>
  /** What is known to be lost; grows when a search comes upon more. */
  damages(): readonly Damage[]
  /**
   * As of a moment ago: `down` answers nothing, `partial` lacks some of its servers, `read_only`
   * answers and has refused the events that came last.
   */
  state(): 'up' | 'partial' | 'read_only' | 'down'
  stats(): Promise<{ events: number; bytes: number; oldestAt: number | null }>

  /** Drops whole partitions that are over; answers how many events went. */
  retain(retention: Retention, now: number): Promise<{ dropped: number }>

  close(): Promise<void>
}
