import type { Damage, Limits, StoredLog } from '../../ports/log-store.ts'
import type { Engine } from './engine.ts'

export type Operation = Exclude<keyof Engine, 'append' | 'close'>

/** What the service asks of the thread. Appended events come in pieces, before the call for them. */
export type LogStoreCalls = {
  run(operation: Operation, args: unknown[], limits: Pick<Limits, 'timeLimitMs'>): unknown
  addPiece(batch: number, logs: StoredLog[]): void
  /** Which of the batch, by place, were stored before. */
  append(batch: number): Promise<number[]>
  close(): Promise<void>
}

export type LogStoreNews = { warning: string } | { damages: Damage[] }
