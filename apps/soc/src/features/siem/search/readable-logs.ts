import { AppError } from '@manara/kit/errors'
import type { Query } from '@manara/log-query/ast'
import type { Mode } from '../../../core/mode/mode.ts'
import type { LogStore } from '../../../ports/log-store.ts'

/** What reading needs of the store. */
export type ReadableLogs = Pick<
  LogStore,
  'search' | 'byId' | 'scan' | 'histogram' | 'fields' | 'topValues' | 'aggregate' | 'sources'
> & {
  /** What whoever asked this should know, such as names that no event has. */
  notesOn?(query: Query): string[]
}

export type ReadLogs = <T>(read: (logs: ReadableLogs) => Promise<T>) => Promise<T>

/** The store; in `dummy` the showcase instead, while the database or the store is away. */
export function createReadLogs(deps: {
  mode: Mode
  isDatabaseAvailable(): boolean
  store: ReadableLogs
  showcase: ReadableLogs
}): ReadLogs {
  const { mode, store, showcase } = deps
  return async (read) => {
    if (!mode.showsStory) return read(store)
    if (!deps.isDatabaseAvailable()) return read(showcase)
    try {
      return await read(store)
    } catch (error) {
      if (error instanceof AppError && error.status === 503) return read(showcase)
      throw error
    }
  }
}
