import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Longer, and somebody who waits for an answer notices. */
const STALL_MS = 200
/** Where this process waits so long as well, the machine is busy with others. */
const BUSY_MS = 50
const EVERY_MS = 500

type Watched = { stalls: { ms: number; during: string }[]; busy: number; rss: number }

/** Looks at the service's event loop and memory, and at our own loop for comparison. */
export function watch(base: string, during: () => string) {
  const own = monitorEventLoopDelay({ resolution: 10 })
  own.enable()
  const seen: Watched = { stalls: [], busy: 0, rss: 0 }
  let isAsking = false

  async function look() {
    if (isAsking) return
    isAsking = true
    try {
      const text = await (await fetch(`${base}/metrics`)).text()
      const ownMs = own.max / 1e6
      own.reset()
      seen.rss = sampleOf(text, 'process_resident_memory_bytes')
      const ms = sampleOf(text, 'nodejs_eventloop_lag_max_seconds') * 1_000
      if (ms <= STALL_MS) return
      if (ownMs > BUSY_MS) seen.busy += 1
      else seen.stalls.push({ ms: Math.round(ms), during: during() })
    } catch {
      // The end of the service is told by whoever started it.
    } finally {
      isAsking = false
    }
  }

  const timer = setInterval(look, EVERY_MS)
  return {
    seen,
    look,
    stop() {
      clearInterval(timer)
      own.disable()
    },
  }
}

const sampleOf = (text: string, name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
