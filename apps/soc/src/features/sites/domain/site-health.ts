import type { SiteHealth } from '@manara/soc-contract/sites'

/** How many machines of one kind stand at a site, and how many of them have said nothing lately. */
export type Machines = {
  kind: 'endpoints' | 'devices'
  total: number
  silent: number
  lastAt: number | null
}

export type Reported = {
  /** Sources the profile declares; null for one that never sent anything. */
  logSources: { source: string; lastAt: number | null }[]
  machines: Machines[]
}

const SOURCE_SILENT_MS = 60 * 60_000

export function siteHealth({ logSources, machines }: Reported, now: number): SiteHealth {
  const sources = logSources.map(({ source, lastAt }) => ({
    source,
    last_event_at: toIso(lastAt, now),
    is_silent: lastAt === null || now - lastAt > SOURCE_SILENT_MS,
  }))
  const standing = machines.filter(({ total }) => total > 0)
  const total = sources.length + sum(standing.map((group) => group.total))
  const silent =
    sources.filter(({ is_silent }) => is_silent).length + sum(standing.map((group) => group.silent))
  const moments = [...logSources, ...standing].flatMap(({ lastAt }) => lastAt ?? [])
  return {
    status: statusOf(total, silent),
    last_event_at: toIso(moments.length > 0 ? Math.max(...moments) : null, now),
    log_sources: sources,
    machines: standing.map(({ lastAt, ...group }) => ({
      ...group,
      last_event_at: toIso(lastAt, now),
    })),
  }
}

function statusOf(total: number, silent: number): SiteHealth['status'] {
  if (total === 0) return 'unknown'
  if (silent === total) return 'silent'
  return silent > 0 ? 'degraded' : 'healthy'
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

/** A sender whose clock is ahead has spoken now at the latest. */
const toIso = (at: number | null, now: number) =>
  at === null ? null : new Date(Math.min(at, now)).toISOString()
