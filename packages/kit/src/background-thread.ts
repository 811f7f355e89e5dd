import { constants, setPriority } from 'node:os'

/**
 * For worker threads: on a busy machine the thread that answers requests goes first. Linux gives
 * each thread a priority of its own, also to the threads that this one starts; elsewhere it would
 * be the whole process's.
 */
export function workInBackground(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
