import type { AlertStatus } from '@manara/soc-contract/alerts'
import { sql } from 'kysely'
import { isPerson, type Principal } from '../../core/identity/principal.ts'
import { isSettled } from './domain/settled.ts'

/**
 * Who takes an alert up and who settles it, kept beside its status. Who only moves a settled one to
 * a case, or says again that it is closed, has not closed it.
 */
export function handledBy(principal: Principal, status: AlertStatus | undefined) {
  const isClosed = status !== undefined && isSettled(status)
  const { username } = principal
  return {
    ...(takesUp(principal, status)
      ? { acknowledged_by: sql<string>`coalesce(acknowledged_by, ${username})` }
      : {}),
    ...(isClosed
      ? {
          closed_by: sql<string>`CASE WHEN status = ${status} THEN closed_by ELSE ${username} END`,
          closed_at: sql<Date>`CASE WHEN status = ${status} THEN closed_at ELSE now() END`,
        }
      : {}),
  }
}

/** Suppressing or putting it back is not taking it up: nobody has looked at it. */
export const takesUp = (principal: Principal, status: AlertStatus | undefined) =>
  isPerson(principal) && status !== 'new' && status !== 'suppressed'
