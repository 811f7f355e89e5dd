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
