import { inPieces } from '../../ports/log-size.ts'
import type { SearchAnswer, StoredLog } from '../../ports/log-store.ts'

/** As many events cross over at once as do not hold up the service. */
const PIECE_EVENTS = 500

/** Some of the events, and whether there are more. */
export type AnswerPiece = { logs: StoredLog[]; hasMore: boolean }

/** Answers on their way to the service, which asks for one piece after the other, each by its name. */
export function createAnswerPieces() {
  const kept = new Map<number, StoredLog[][]>()

  function keep(name: number, [logs = [], ...rest]: StoredLog[][]): AnswerPiece {
    kept.delete(name)
    if (rest.length > 0) kept.set(name, rest)
    return { logs, hasMore: rest.length > 0 }
  }

  return {
    first(name: number, { logs, ...answer }: SearchAnswer): SearchAnswer & AnswerPiece {
      const pieces = [...inPieces(logs, { events: PIECE_EVENTS })].map((piece) => piece.logs)
      return { ...answer, ...keep(name, pieces) }
    },
    next: (name: number): AnswerPiece => keep(name, kept.get(name) ?? []),
    /** Nobody asks for the rest. */
    forget: (name: number) => void kept.delete(name),
  }
}
