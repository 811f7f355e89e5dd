import { conflict } from '@manara/kit/errors'
import { isCollision } from '../../db/connection-failure.ts'

const ATTEMPTS = 3

/** What the database undid in favour of others is tried again. */
export async function despiteCollisions<T>(once: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await once()
    } catch (error) {
      if (!isCollision(error)) throw error
    }
  }
  throw conflict('others are changing the same records: try again')
}
