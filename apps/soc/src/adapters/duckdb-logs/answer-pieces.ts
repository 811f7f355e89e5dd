import { inPieces } from '../../ports/log-size.ts'
import type { SearchAnswer, StoredLog } from '../../ports/log-store.ts'

/** As many events cross over at once as do not hold up the service. */
const PIECE_EVENTS = 500

/** Some of the events; `more` is the name of the rest. */
export type AnswerPiece = { logs: StoredLog[]; more: number | undefined }

/** Answers on their way to the service, which asks for one piece after the other. */
export function createAnswerPieces() {
  const kept = new Map<number, StoredLog[][]>()
  let answers = 0

  function keep(name: number, [logs = [], ...rest]: StoredLog[][]): AnswerPiece {
    kept.delete(name)
    if (rest.length === 0) return { logs, more: undefined }
    kept.set(name, rest)
    return { logs, more: name }
  }

  return {
    first({ logs, ...answer }: SearchAnswer): SearchAnswer & AnswerPiece {
      const pieces = [...inPieces(logs, { events: PIECE_EVENTS })].map((piece) => piece.logs)
      answers += 1
      return { ...answer, ...keep(answers, pieces) }
    },
    next: (name: number): AnswerPiece => keep(name, kept.get(name) ?? []),
  }
}
