import type { Damage, Limits } from '../../ports/log-store.ts'
import type { Engine } from './engine.ts'
import type { DuckdbPacked } from './packed-logs.ts'

export type Operation = Exclude<keyof Engine, 'append' | 'close'>

/** What the service asks of the thread. */
export type LogStoreCalls = {
  run(operation: Operation, args: unknown[], limits: Pick<Limits, 'timeLimitMs'>): unknown
  /** Each part is of one day; answers which of each, by place, were stored before. */
  append(parts: DuckdbPacked[]): Promise<number[][]>
  close(): Promise<void>
}

export type LogStoreNews = { warning: string } | { damages: Damage[] }
