import { unavailable } from '@manara/kit/errors'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Showcase } from '../../showcase/showcase.ts'
import type { Mode } from './mode.ts'

export type Reads = {
  /**
   * Reads the database. While it is away: the showcase in `dummy`, 503 otherwise or when this read
   * has no part in the showcase.
   */
  readThrough<T>(
    fromDatabase: () => Promise<T>,
    fromShowcase?: (showcase: Showcase) => T | undefined,
  ): Promise<T>
}

export function createReads(deps: {
  database: Pick<Database, 'isAvailable'>
  mode: Mode
  showcase: Showcase
}): Reads {
  return {
    async readThrough(fromDatabase, fromShowcase) {
      if (deps.database.isAvailable()) {
        try {
          return await fromDatabase()
        } catch (error) {
          // It went this very moment, before the probe could notice.
          if (!isConnectionFailure(error) || !deps.mode.showsStory) throw error
        }
      }
      const shown = deps.mode.showsStory ? fromShowcase?.(deps.showcase) : undefined
      if (shown === undefined) throw unavailable('the database is unavailable: try again shortly')
      return shown
    },
  }
}
