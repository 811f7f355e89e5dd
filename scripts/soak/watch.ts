import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Longer, and somebody who waits for an answer notices. */
const STALL_MS = 200
const EVERY_MS = 500
/** Memory that moved by less in so many seconds, while there was hardly any work, is what stays. */
const STEADY_BYTES = 16 * 2 ** 20
const STEADY_S = 10
const STEADY_WORK_S = 2
const LONGEST_S = 300
/** Of the kernel's clock for the work of a process. */
const TICKS_A_SECOND = 100

type Late = { until: number; late: number; own: number }
type Watched = {
  stalls: (Late & { during: string })[]
  /** Late, and most of it not its own work: others had the cores, or a file was waited for. */
  waits: number
  rss: number
}

/** Looks at the memory of a service, and at what the probe inside it says of its event loop. */
export function watch(
  pid: number,
  probeFile: string,
  during: (from: number, until: number) => string,
) {
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
    for (const late of fresh) {
      if (late.own > STALL_MS) {
        seen.stalls.push({ ...late, during: during(late.until - late.late, late.until) })
      } else if (late.late > STALL_MS) seen.waits += 1
    }
  }

  const timer = setInterval(look, EVERY_MS)
  return {
    seen,
    /** Starting is no stall: nobody is served yet. */
    begin() {
      look()
      isCounting = true
    },
    /** The memory that is left when nobody asks for anything and it moves no more. */
    async steadyRss(): Promise<number> {
      let seconds: { rss: number; worked: number }[] = []
      for (let second = 0; second < LONGEST_S; second += 1) {
        await pause(1_000)
        seconds = [...seconds, { rss: seen.rss, worked: workedSeconds(pid) }].slice(-STEADY_S)
        const all = seconds.map(({ rss }) => rss)
        const [first, last] = [seconds[0], seconds.at(-1)]
        const work = (last?.worked ?? 0) - (first?.worked ?? 0)
        const isSteady = Math.max(...all) - Math.min(...all) < STEADY_BYTES && work < STEADY_WORK_S
        if (seconds.length === STEADY_S && isSteady) break
      }
      return seen.rss
    },
    stop() {
      look()
      clearInterval(timer)
    },
  }
}

/** CPU time of all threads of a process. */
function workedSeconds(pid: number): number {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
    const fields = after.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
  } catch {
    return 0
  }
}
