import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10
// Where /proc/PID/stat has them, counted from behind the name.
const [OWN, GATHERED] = [11, 13]

/** Milliseconds of processor time so far, as Linux counts them. */
export type Ledger = Record<
  'main thread' | 'other threads' | 'backends' | 'rest' | 'client',
  number
>

type Measured = { service: number; postmaster: number }

/** Who has used the processors: the service, its PostgreSQL and whoever asks, which is this process. */
export function readLedger({ service, postmaster }: Measured): Ledger {
  const whole = usedBy(`/proc/${service}/stat`)
  const main = usedBy(`/proc/${service}/task/${service}/stat`)
  const { user, system } = process.cpuUsage()
  // Connections that were closed meanwhile are in what the postmaster has gathered.
  let backends = usedBy(`/proc/${postmaster}/stat`, GATHERED)
  let rest = usedBy(`/proc/${postmaster}/stat`)
  for (const pid of childrenOf(postmaster)) {
    try {
      const used = usedBy(`/proc/${pid}/stat`)
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('[local]')) backends += used
      else rest += used
    } catch {
      // It has ended since it was listed.
    }
  }
  return {
    'main thread': main,
    'other threads': whole - main,
    backends,
    rest,
    client: (user + system) / 1_000,
  }
}

/** What was used between the two, for each of `count`. */
export function ledgerLine(before: Ledger, after: Ledger, count: number): string {
  const each = (name: keyof Ledger) => (after[name] - before[name]) / count
  const [main, others, backends, rest, client] = (
    ['main thread', 'other threads', 'backends', 'rest', 'client'] as const
  ).map(each) as [number, number, number, number, number]
  const sum = main + others + backends + rest + client
  const ms = (value: number) => value.toFixed(2)
  return `processor time each: ${ms(sum)} ms = service ${ms(main)} + ${ms(others)} in other threads, PostgreSQL ${ms(backends)} + ${ms(rest)} besides its connections, client ${ms(client)}`
}

function usedBy(file: string, at = OWN): number {
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[at]) + Number(fields[at + 1])) * TICK_MS
}

function childrenOf(parent: number): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
      return Number(fields?.[1]) === parent
    } catch {
      return false
    }
  })
}
