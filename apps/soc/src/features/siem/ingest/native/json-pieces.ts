import { exactly } from '../../normalise/exact-json.ts'
import { isTooDeep, type JsonMap } from '../../normalise/fields.ts'
import type { Rejected } from '../piece.ts'
import type { Span } from './split-json.ts'

export const MOST_EVENT_BYTES = 1024 * 1024

type Found = { object: JsonMap; text?: string }

export const tooLarge: Rejected = { rejected: 'is larger than 1 MB', isTooLarge: true }

/** One object out of the body, or why it is none; one that is too deep to take apart stays text. */
export function objectAt(body: Buffer, [start, end]: Span): Found | Rejected {
  if (end - start > MOST_EVENT_BYTES) return tooLarge
  const text = body.toString('utf8', start, end)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { rejected: 'is not valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { rejected: 'must be an object' }
  }
  if (isTooDeep(text)) return { object: {}, text }
  return { object: exactly(value, text) as JsonMap }
}

export function textAt(body: Buffer, [start, end]: Span): { text: string } | Rejected {
  if (end - start > MOST_EVENT_BYTES) return tooLarge
  return { text: body.toString('utf8', start, end) }
}
