import type { ReparseExample } from '@manara/soc-contract/reparse'
import type { StoredLog } from '../../../ports/log-store.ts'
import { createOwnParsers, type EnabledParser } from '../normalise/own/own-parsers.ts'
import { reread } from '../normalise/reread.ts'
import { compareReadings } from './domain/compare-readings.ts'

export type RereadAnswer = {
  /** Those that come out differently. */
  changed: StoredLog[]
  failed: number
  examples: ReparseExample[]
}

const LONGEST_MESSAGE = 2_000
const MOST_CHANGES = 50

/** Some stored events, read as if they came now. */
export function rereadBatch(
  logs: StoredLog[],
  parsers: EnabledParser[],
  mostExamples: number,
): RereadAnswer {
  const own = createOwnParsers({ mayRest: false })
  own.set(parsers)
  const answer: RereadAnswer = { changed: [], failed: 0, examples: [] }
  for (const log of logs) {
    try {
      const after = reread(structuredClone(log), own)
      const changes = compareReadings(log, after)
      if (changes.length === 0) continue
      answer.changed.push(after)
      if (answer.examples.length >= mostExamples) continue
      answer.examples.push({
        ...{ log_id: log.id, message: log.message.slice(0, LONGEST_MESSAGE).toWellFormed() },
        changes: changes.slice(0, MOST_CHANGES),
      })
    } catch {
      answer.failed += 1
    }
  }
  return answer
}
