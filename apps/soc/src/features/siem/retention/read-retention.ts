import type { LogRetention, RetentionQuery } from '@manara/soc-contract/siem-retention'
import type { DiskRoom } from '../../../ports/disk-room.ts'
import type { Limits, LogStore, Retention } from '../../../ports/log-store.ts'

const DAY_MS = 86_400_000
const MOST_SOURCES = 100_000

export type RetentionDeps = {
  logs: Pick<LogStore, 'engine' | 'stats' | 'sources' | 'aggregate'>
  diskRoom: DiskRoom
  /** As the service was started. */
  retention: Retention
  now(): number
}

/** What is stored, and what would go now if these were the limits. */
export async function readRetention(
  { logs, diskRoom, retention, now }: RetentionDeps,
  asked: RetentionQuery,
  limits: Limits,
): Promise<LogRetention> {
  const tried: Retention = {
    days: asked.days === undefined ? retention.days : asked.days || undefined,
    bytes: asked.bytes === undefined ? retention.bytes : asked.bytes || undefined,
    daysBySource: asked.by_source ?? retention.daysBySource,
  }
  const daysOf = (source: string) =>
    Object.hasOwn(tried.daysBySource, source) ? tried.daysBySource[source] : tried.days
  const [stats, sources] = await Promise.all([logs.stats(), logs.sources()])
  const over = await countOver(
    logs,
    new Set(sources.map(({ source }) => daysOf(source))),
    now(),
    limits,
  )
  const shown = sources
    .toSorted((a, b) => b.count - a.count)
    .map(({ source, count, firstAt, lastAt }) => ({
      ...{ source, events: count, days: daysOf(source) ?? null },
      oldest_at: new Date(firstAt).toISOString(),
      newest_at: new Date(lastAt).toISOString(),
      goes: over.counts.get(daysOf(source))?.get(source) ?? 0,
    }))
  return {
    engine: logs.engine,
    events: stats.events,
    bytes: stats.bytes,
    oldest_at: stats.oldestAt === null ? null : new Date(stats.oldestAt).toISOString(),
    disk_free: diskRoom()?.free ?? null,
    set: shownLimits(retention),
    limits: shownLimits(tried),
    goes: {
      events: shown.reduce((sum, { goes }) => sum + goes, 0),
      bytes: tried.bytes === undefined ? 0 : Math.max(0, stats.bytes - tried.bytes),
    },
    sources: shown,
    is_exact: over.isExact,
  }
}

/** For each number of days: how many events of each source came in on a day that is over by it. */
async function countOver(
  logs: Pick<LogStore, 'aggregate'>,
  allDays: Set<number | undefined>,
  now: number,
  limits: Limits,
) {
  const counts = new Map<number | undefined, Map<string, number>>()
  let isExact = true
  for (const days of allDays) {
    if (days === undefined) continue
    // Days of arrival go whole, in UTC.
    const to = Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS
    const found = await logs.aggregate(
      {
        ...{ query: { kind: 'all' }, time: {}, received: { to } },
        ...{ by: [{ field: 'source' }], measures: [{ kind: 'count' }], mostGroups: MOST_SOURCES },
      },
      limits,
    )
    isExact &&= found.partial === null
    counts.set(
      days,
      new Map(found.groups.map(({ keys, values }) => [String(keys[0]), values[0] ?? 0])),
    )
  }
  return { counts, isExact }
}

const shownLimits = ({ days, bytes, daysBySource }: Retention) => ({
  days: days ?? null,
  bytes: bytes ?? null,
  by_source: daysBySource,
})
