import type { AlertStatus } from '@manara/soc-contract/alerts'
import { sql } from 'kysely'
import { isPerson, type Principal } from '../../core/identity/principal.ts'
import { isSettled } from './domain/settled.ts'

/**
 * Who takes an alert up and who settles it, kept beside its status. Suppressing or putting it back
 * is not taking it up: nobody has looked at it.
 */
export function handledBy(principal: Principal, status: AlertStatus | undefined) {
  const isTakenUp = isPerson(principal) && status !== 'new' && status !== 'suppressed'
  const isClosed = status !== undefined && isSettled(status)
  const { username } = principal
  return {
    ...(isTakenUp ? { acknowledged_by: sql<string>`coalesce(acknowledged_by, ${username})` } : {}),
    ...(isClosed ? { closed_by: username, closed_at: sql<Date>`now()` } : {}),
  }
}
