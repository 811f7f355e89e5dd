import { existsSync, readFileSync } from 'node:fs'

/** Longer, and somebody who waits for an answer notices. */
const STALL_MS = 200
const EVERY_MS = 500

type Late = { late: number; own: number }
type Watched = {
  stalls: (Late & { during: string })[]
  /** Late because others had the cores. */
  waits: number
  rss: number
}

/** Looks at the memory of a service, and at what the probe inside it says of its event loop. */
export function watch(pid: number, probeFile: string, during: () => string) {
  const seen: Watched = { stalls: [], waits: 0, rss: 0 }
  let [read, isCounting] = [0, false]

  function look() {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1')
      seen.rss = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024
    } catch {
      // The end of the service is told by whoever started it.
    }
    if (!existsSync(probeFile)) return
    const lines = readFileSync(probeFile, 'utf8').split('\n').slice(0, -1)
    const fresh = lines.slice(read).map((line) => JSON.parse(line) as Late)
    read = lines.length
    if (!isCounting) return
    for (const { late, own } of fresh) {
      if (own > STALL_MS) seen.stalls.push({ late, own, during: during() })
      else if (late > STALL_MS) seen.waits += 1
    }
  }

  const timer = setInterval(look, EVERY_MS)
  return {
    seen,
    look,
    /** Starting is no stall: nobody is served yet. */
    begin() {
      look()
      isCounting = true
    },
    stop() {
      look()
      clearInterval(timer)
    },
  }
}
