import { conflict, unavailable } from '@manara/kit/errors'
import type { Transaction } from 'kysely'
import { isCollision, isConnectionFailure, isTaken } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

const ATTEMPTS = 3

type Asked = Pick<Database, 'kysely' | 'isAvailable'>
type Work<T> = (tx: Transaction<Tables>) => Promise<T>

/**
 * What the database undid in favour of others is tried again. So is what found a name free that
 * somebody took meanwhile: it finds it taken then, and says so.
 */
export async function inTransaction<T>(database: Asked, work: Work<T>): Promise<T> {
  // Known to be away: say so at once instead of waiting for a connection.
  if (!database.isAvailable()) {
    throw unavailable('the database is unavailable: nothing was changed, try again shortly')
  }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await database.kysely.transaction().execute(work)
    } catch (error) {
      const isLast = attempt === ATTEMPTS
      if (!isCollision(error) && (isLast || !isTaken(error))) throw error
    }
  }
  throw conflict('others are changing the same records: try again')
}

/** A line that breaks before COMMIT leaves nothing, whatever the database is doing at that moment. */
export async function committed<T>(database: Asked, work: Work<T>): Promise<T> {
  let isCommitting = false
  try {
    return await inTransaction(database, async (tx) => {
      isCommitting = false
      const made = await work(tx)
      isCommitting = true
      return made
    })
  } catch (error) {
    if (!isCommitting || !isConnectionFailure(error)) throw error
    // The answer to COMMIT was lost: it may have been done, so "nothing was changed" would be a lie.
    throw unavailable(
      'the database went away while saving: look whether the change is there',
      error,
    )
  }
}
