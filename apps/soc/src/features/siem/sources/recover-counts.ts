import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import { tallyOf } from '../ingest/tally.ts'
import { PARSER } from '../normalise/parsed.ts'
import type { EventCounts } from './count-events.ts'

const MINUTE_MS = 60_000
/** More came in the seconds before a kill than anybody sends: they stay uncounted. */
const MOST_EVENTS = 300_000

/**
 * Events that were stored and not yet counted when a process was killed. What was counted stands by
 * source and minute; what the log store holds beyond that, the newest of each minute, is missing.
 */
export async function recoverCounts(deps: {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'scan'>
  counts: Pick<EventCounts, 'add'>
  /** What came later is counted by this process itself. */
  startedAt: number
}): Promise<void> {
  const { db, logs, counts, startedAt } = deps
  const watch = await db.selectFrom('log_source_watch').select('beat_at').executeTakeFirst()
  // A database in which nothing was ever counted has lost nothing; the store may be older than it.
  if (!watch || watch.beat_at.getTime() === 0) return
  const from = minuteOf(watch.beat_at.getTime()) * MINUTE_MS - MINUTE_MS
  const found = new Map<string, Parameters<typeof tallyOf>[0]>()
  let events = 0
  const received = { from, to: startedAt }
  for await (const page of logs.scan({ query: { kind: 'all' }, time: {}, received })) {
    events += page.length
    if (events > MOST_EVENTS) return
    for (const { id, at, received_at, source, message, fields } of page) {
      const log = { id, at, received_at, source, message, fields: { [PARSER]: fields[PARSER] } }
      const key = keyOf(source, minuteOf(received_at))
      const others = found.get(key)
      if (others) others.push(log)
      else found.set(key, [log])
    }
  }
  const known = await db
    .selectFrom('log_source_minutes')
    .select(['source', 'minute', 'events'])
    .where('minute', '>=', new Date(from))
    .execute()
  const counted = new Map(
    known.map(({ source, minute, events: count }) => {
      const key = keyOf(source, minuteOf(minute.getTime()))
      return [key, Number(count)] as const
    }),
  )
  const missing = [...found].flatMap(([key, all]) => {
    const newestFirst = all.toSorted((a, b) => b.received_at - a.received_at)
    return newestFirst.slice(0, Math.max(0, all.length - (counted.get(key) ?? 0)))
  })
  for (const log of missing.toSorted((a, b) => a.received_at - b.received_at)) {
    counts.add(tallyOf([log]), log.received_at)
  }
}

const minuteOf = (moment: number) => Math.floor(moment / MINUTE_MS)
const keyOf = (source: string, minute: number) => `${minute} ${source}`
