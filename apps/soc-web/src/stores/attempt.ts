import { Refused, Unreachable } from './api.ts'

export type Reasons = {
  unreachable: string
  tooMany: string
  gone: string
  forbidden: string
  unavailable: string
}

/** In these words, or in none at all. */
const OF_DATABASE = /^(503$|the database is unavailable)/

/** In the words of the person, as far as we have them; else in those of the service. */
export function explain(error: unknown, reasons: Reasons): string {
  if (error instanceof Unreachable) return reasons.unreachable
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error)
  // Said by a proxy in front of it.
  if (error.status === 502 || error.status === 504) return reasons.unreachable
  if (error.status === 429) return reasons.tooMany
  if (error.status === 403) return reasons.forbidden
  // No EDR, no room on the disk or no printer is not a database that is away.
  if (error.status === 503)
    return OF_DATABASE.test(error.message) ? reasons.unavailable : error.message
  return error.status === 404 ? reasons.gone : error.message
}
