import { type RawBuilder, sql } from 'kysely'

/** The source of every invented event: they are dropped by it. */
export const DEMONSTRATION_SOURCE = 'demonstration'

/** `.invalid` is no name on any network: what is about such a host is invented. */
export const DEMONSTRATION_DOMAIN = 'demo.invalid'

/** Whether an alert, or one of a case, is invented. What follows from it reaches nothing real. */
export const isDemonstration = (
  alertId: string | null,
  caseId: string | null,
): RawBuilder<boolean> => sql<boolean>`EXISTS (
  SELECT FROM alerts WHERE (id = ${alertId}::uuid OR case_id = ${caseId}::uuid)
    AND lower(host) LIKE ${`%.${DEMONSTRATION_DOMAIN}`})`
