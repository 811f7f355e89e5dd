import { createHash } from 'node:crypto'
import type { LogRecord } from '@manara/log-query/event'
import type { NewTerms } from '@manara/soc-contract/detections'
import { groupKey } from './group-key.ts'

const LONGEST = 500

/** What a new_terms rule remembers of an event; long values by their hash. */
export function termOf({ fields }: NewTerms, log: LogRecord): string | undefined {
  const term = groupKey(log, fields)?.replaceAll('\0', '').toWellFormed()
  if (term === undefined || term.length <= LONGEST) return term
  return createHash('sha256').update(term, 'utf8').digest('hex')
}

const DAY_MS = 86_400_000

/** Whether a value is new, for trials: of events in order of time, as a saved rule would say in the end. */
export function createNovelty({ look_back_days }: NewTerms): (term: string, at: number) => boolean {
  const lastAt = new Map<string, number>()
  return (term, at) => {
    const last = lastAt.get(term)
    lastAt.set(term, at)
    return last === undefined || at - last > look_back_days * DAY_MS
  }
}
