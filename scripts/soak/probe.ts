import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the service: how late its event loop is, and how much of that was its own doing. A
 * thread that is ready and waits for a core is counted by the kernel; what is left is work, or
 * waiting for a file.
 */
const EVERY_MS = 20
const TOLD_MS = 100
const { SOAK_PROBE: file } = process.env

if (isMainThread && file !== undefined) {
  let [at, waited] = [performance.now(), waitedMs()]
  setInterval(() => {
    const late = performance.now() - at - EVERY_MS
    const own = late - (waitedMs() - waited)
    if (late > TOLD_MS) {
      appendFileSync(file, `${JSON.stringify({ late: Math.round(late), own: Math.round(own) })}\n`)
    }
    ;[at, waited] = [performance.now(), waitedMs()]
  }, EVERY_MS).unref()
}

/** For a core, since the thread began; only Linux tells. */
function waitedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
