import { unavailable } from '@manara/kit/errors'
import type { Kysely } from 'kysely'
import { isConnectionFailure, isOutOfRoom } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { callerOf } from '../audit/entry.ts'
import { despiteCollisions } from './collisions.ts'
import type { WrittenEvent } from './write-audit-and-events.ts'

export const AWAY = 'the database is unavailable: nothing was changed, try again shortly'

export type Caller = ReturnType<typeof callerOf>

/** One of those who share a change; `inContext` is where their request runs. */
export type GroupMember = { caller: Caller; inContext: <T>(work: () => T) => T }

/** The answers in their places, and what the listeners are told. */
export type AtOnce<Done> = { done: Done[]; told: WrittenEvent[] }

/**
 * Changes with their audit rows and events in one statement, which is a transaction by itself: no
 * word is exchanged with the database to begin and to end it. When the connection is lost while it
 * is under way, nobody knows whether it was done.
 */
export async function inOneStatement<T>(
  database: Pick<Database, 'kysely' | 'isAvailable'>,
  ask: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (!database.isAvailable()) throw unavailable(AWAY)
  let isSent = false
  try {
    return await despiteCollisions(() => {
      isSent = false
      return database.kysely.connection().execute((db) => {
        isSent = true
        return ask(db)
      })
    })
  } catch (error) {
    if (isSent && isConnectionFailure(error) && !isOutOfRoom(error)) throw outcomeUnknown(error)
    throw error
  }
}

export const outcomeUnknown = (cause: unknown) =>
  unavailable('the database went away while saving: look whether the change is there', cause)
