import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL: BELOW } = constants.priority

/** What libuv calls the threads of its pool. */
const NAME = 'libuv-worker'

/**
 * On a busy machine the threads that answer go before those of the pool, which run what they ask for:
 * the pool gets its priority from whoever needs it first. Its threads are there as soon as anybody
 * has got something from it. Only Linux has a priority for each thread.
 */
export function poolInBackground(): void {
  if (process.platform !== 'linux') return
  for (const id of readdirSync('/proc/self/task')) {
    // A service that was started with less than this may not give itself more.
    if (nameOf(id) === NAME && getPriority(Number(id)) < BELOW) setPriority(Number(id), BELOW)
  }
}

function nameOf(thread: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
