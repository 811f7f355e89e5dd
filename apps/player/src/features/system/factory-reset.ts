import { randomBytes } from 'node:crypto'
import { invalid, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { Db } from '../../db/open-store.ts'
import { afterReply } from '../../http/after-reply.ts'
import type { Clock } from '../../ports/clock.ts'
import { removeOwnersFiles } from './data-files.ts'
import { eraseStore } from './erase-store.ts'
import { markReset, unmarkReset } from './unfinished-reset.ts'

export type ResetDeps = {
  db: Db
  dataDir: string
  clock: Pick<Clock, 'after'>
  log: Pick<Logger, 'info'>
  /** Why the disk takes nothing: what is on it could not be erased. */
  problem?: string | undefined
  /** Nothing may write its place into the store that was just emptied. */
  silence(): Promise<void>
  /** To a platform that knows this box: two seconds at most. Rejects where the disk takes nothing. */
  sayGoodbye(): Promise<void>
  /** The old token is worthless when this returns. */
  useToken(token: string): void
  /** A version that gives way would bring the old state back. */
  isUpdating(): boolean
  /** Everything stops and starts anew, with nothing in memory. */
  restart(): void
}

/** As on the day it was bought, but for installed updates and the network it is in. */
export async function factoryReset(deps: ResetDeps): Promise<{ success: true }> {
  if (deps.isUpdating()) {
    throw invalid('reset', 'an update is under way: try again when it is over')
  }
  if (deps.problem) throw unavailable(deps.problem)
  await deps.silence()
  await deps.sayGoodbye()
  const token = randomBytes(32).toString('hex')
  markReset(deps.dataDir, token)
  try {
    eraseStore(deps.db, token)
  } catch (error) {
    unmarkReset(deps.dataDir)
    throw error
  }
  deps.useToken(token)
  removeOwnersFiles(deps.dataDir)
  deps.log.info({}, 'factory reset: starting anew')
  afterReply(deps.clock, deps.restart)
  return { success: true }
}
