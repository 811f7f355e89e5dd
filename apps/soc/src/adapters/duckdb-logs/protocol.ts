import type { Damage, Limits, SearchAnswer, SearchRequest } from '../../ports/log-store.ts'
import type { AnswerPiece } from './answer-pieces.ts'
import type { Engine } from './engine.ts'
import type { DuckdbPacked } from './packed-logs.ts'

export type Operation = Exclude<keyof Engine, 'append' | 'rehearse' | 'search' | 'close'>

/** What the service asks of the thread. Events that were found go back in pieces, by the search's name. */
export type LogStoreCalls = {
  run(operation: Operation, args: unknown[], limits: Pick<Limits, 'timeLimitMs'>): unknown
  search(
    name: number,
    request: SearchRequest,
    limits: Pick<Limits, 'timeLimitMs'>,
  ): Promise<SearchAnswer & AnswerPiece>
  nextPiece(name: number): AnswerPiece
  endPieces(name: number): void
  /** Each part is of one day; answers which of each, by place, were stored before. */
  append(parts: DuckdbPacked[]): Promise<number[][]>
  rehearse(parts: DuckdbPacked[]): Promise<number[][]>
  close(): Promise<void>
}

export type LogStoreNews = { warning: string } | { damages: Damage[] }
