import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the service: how late its event loop is, and how much of that its own thread worked.
 * What is left it waited: for a core that others had, or for a file.
 */
const EVERY_MS = 20
const TOLD_MS = 100
const { SOAK_PROBE: file } = process.env

if (isMainThread && file !== undefined) {
  let [at, worked] = [performance.now(), workedMs()]
  setInterval(() => {
    const late = performance.now() - at - EVERY_MS
    const own = workedMs() - worked
    if (late > TOLD_MS) {
      const told = { until: Date.now(), late: Math.round(late), own: Math.round(own) }
      appendFileSync(file, `${JSON.stringify(told)}\n`)
    }
    ;[at, worked] = [performance.now(), workedMs()]
  }, EVERY_MS).unref()
}

/** On a core, since the thread began; where the kernel does not tell, all of the time counts. */
function workedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
