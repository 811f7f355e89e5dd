import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { OTHERS } from '../ingest/counters.ts'
import type { HourCount } from './count-events.ts'
import type { SourceHistory } from './domain/rhythm.ts'

const HOUR_MS = 3_600_000
/** Sources whose rhythm is learnt; a sender could make up any number of names. */
const MOST_SOURCES = 10_000
const HISTORY_HOURS = 5 * 168
const FULL_HOUR_BEATS = 45

/** What was counted, added to what others counted; answers whether something new is to be told. */
export async function addCounts(db: Kysely<Tables>, counts: HourCount[]): Promise<boolean> {
  // In one order for all processes: then none waits for another in a ring.
  const ordered = counts.toSorted((a, b) =>
    a.source === b.source ? a.hour - b.hour : a.source < b.source ? -1 : 1,
  )
  return db.transaction().execute(async (tx) => {
    const isNews = await addSources(tx, ordered)
    const watched = await watchedOf(tx, ordered)
    const known = ordered.filter(({ source }) => watched.has(source))
    await addMinutes(tx, known)
    await addExamples(tx, known)
    const together = (one: HourCount) =>
      watched.has(one.source) ? one : { ...one, source: OTHERS }
    await addParsers(tx, ordered.map(together))
    return isNews
  })
}

/** Of more sources than are learnt nothing is kept by name: a sender may make up any number of them. */
async function watchedOf(tx: Transaction<Tables>, counts: HourCount[]): Promise<Set<string>> {
  const { rows } = await sql<{ source: string }>`
    SELECT source FROM log_sources
    WHERE source = ANY(${[...new Set(counts.map(({ source }) => source))]})`.execute(tx)
  return new Set(rows.map(({ source }) => source))
}

async function addSources(tx: Transaction<Tables>, counts: HourCount[]): Promise<boolean> {
  const rows = counts.map((one, at) => ({
    ...{ source: one.source, hour: instant(one.hour * HOUR_MS) },
    ...{ events: one.events, read: one.read, lag: one.lagMs, gap: one.gapMs },
    // Of an hour that follows another here, the silence before it began there.
    before:
      counts[at - 1]?.source === one.source ? instant(counts[at - 1]?.lastReceivedAt ?? 0) : null,
    first: instant(one.firstReceivedAt),
    last: instant(one.lastReceivedAt),
    event: instant(one.lastEventAt),
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given(source text, hour timestamptz,
    events bigint, read bigint, lag bigint, gap bigint, before timestamptz, first timestamptz, last timestamptz, event timestamptz)`
  // The silence before the first of them, as long as somebody watched and it was not a failure.
  await sql`
    INSERT INTO log_source_hours AS known (source, hour, events, read_events, lag_ms, longest_gap_ms)
    SELECT given.source, given.hour, events, read, lag, greatest(gap, CASE
      WHEN old.silent_since IS NULL OR given.before IS NOT NULL THEN (1000 * extract(epoch FROM
        given.first - greatest(coalesce(given.before, old.last_received_at, given.first), watch.up_since)))::bigint
      ELSE 0 END)
    FROM ${given}
    CROSS JOIN log_source_watch watch
    LEFT JOIN log_sources old ON old.source = given.source
    WHERE old.source IS NOT NULL OR (SELECT count(*) FROM log_sources) < ${MOST_SOURCES}
    ORDER BY given.source, given.hour
    ON CONFLICT (source, hour) DO UPDATE SET
      events = known.events + excluded.events,
      read_events = known.read_events + excluded.read_events,
      lag_ms = known.lag_ms + excluded.lag_ms,
      longest_gap_ms = greatest(known.longest_gap_ms, excluded.longest_gap_ms)`.execute(tx)
  const { rows: news } = await sql<{ is_news: boolean }>`
    INSERT INTO log_sources AS known (source, first_received_at, last_received_at, last_event_at)
    SELECT source, min(first), max(last), max(event) FROM ${given}
    WHERE EXISTS (SELECT FROM log_sources s WHERE s.source = given.source)
      OR (SELECT count(*) FROM log_sources) < ${MOST_SOURCES}
    GROUP BY source ORDER BY source
    ON CONFLICT (source) DO UPDATE SET
      last_received_at = greatest(known.last_received_at, excluded.last_received_at),
      last_event_at = greatest(known.last_event_at, excluded.last_event_at),
      expected_by = NULL, looked_at = NULL
    RETURNING NOT is_announced OR silent_since IS NOT NULL
      OR (SELECT intake_alert_id IS NOT NULL FROM log_source_watch) AS is_news`.execute(tx)
  return news.some(({ is_news }) => is_news)
}

async function addMinutes(tx: Transaction<Tables>, counts: HourCount[]) {
  const rows = counts.flatMap(({ source, minutes }) =>
    [...minutes]
      .sort(([a], [b]) => a - b)
      .map(([minute, events]) => ({ source, minute: instant(minute * 60_000), events })),
  )
  await sql`
    INSERT INTO log_source_minutes AS known (source, minute, events)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS given(source text, minute timestamptz, events bigint)
    ON CONFLICT (source, minute) DO UPDATE SET events = known.events + excluded.events`.execute(tx)
}

async function addParsers(tx: Transaction<Tables>, counts: HourCount[]) {
  const rows = counts.flatMap(({ source, hour, parsers, lastReceivedAt }) =>
    [...parsers].map(([parser, events]) => ({
      ...{ parser, source, hour: instant(hour * HOUR_MS), events },
      last_at: instant(lastReceivedAt),
    })),
  )
  await sql`
    INSERT INTO log_parser_hours AS known (parser, source, hour, events, last_at)
    SELECT parser, source, hour, sum(events), max(last_at)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS given(parser text, source text, hour timestamptz, events bigint, last_at timestamptz)
    GROUP BY parser, source, hour ORDER BY parser, source, hour
    ON CONFLICT (parser, source, hour) DO UPDATE SET
      events = known.events + excluded.events,
      last_at = greatest(known.last_at, excluded.last_at)`.execute(tx)
}

/** The newest of each source that no parser read. */
async function addExamples(tx: Transaction<Tables>, counts: HourCount[]) {
  const rows = counts.flatMap(({ source, examples }) =>
    examples.map(({ id, message, receivedAt }, place) => ({
      ...{ source, place, log_id: id, message, received_at: instant(receivedAt) },
    })),
  )
  const last = new Map(rows.map((row) => [`${row.place} ${row.source}`, row]))
  if (last.size === 0) return
  await tx
    .insertInto('log_unread_examples')
    .values([...last.values()])
    .onConflict((conflict) =>
      conflict.columns(['source', 'place']).doUpdateSet((given) => ({
        log_id: given.ref('excluded.log_id'),
        message: given.ref('excluded.message'),
        received_at: given.ref('excluded.received_at'),
      })),
    )
    .execute()
}

const instant = (ms: number) => new Date(ms).toISOString()

const BEAT_MS = 60_000
/** Longer than this without a beat nobody watched; backwards it was the clock. */
const LONGEST_BEAT_MS = 3 * BEAT_MS

/**
 * Says that somebody watches. Answers since when without a break: silence before that may have been
 * ours. One process a minute counts it for the hour.
 */
export async function beat(
  db: Kysely<Tables>,
  now: number,
): Promise<{ upSince: number; isIntakeSilent: boolean }> {
  return db.transaction().execute(async (tx) => {
    const watch = await tx
      .selectFrom('log_source_watch')
      .select(['beat_at', 'up_since', 'intake_alert_id'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    const pause = now - watch.beat_at.getTime()
    const isBroken = pause > LONGEST_BEAT_MS || pause < -LONGEST_BEAT_MS
    const upSince = isBroken ? now : watch.up_since.getTime()
    const answer = { upSince, isIntakeSilent: watch.intake_alert_id !== null }
    if (!isBroken && pause < BEAT_MS) return answer
    if (isBroken && pause < 0) await forgetFuture(tx, new Date(now))
    await tx
      .updateTable('log_source_watch')
      .set({ beat_at: new Date(now), up_since: new Date(upSince) })
      .execute()
    await tx
      .insertInto('log_source_hours')
      .values({
        ...{ source: '', hour: new Date(Math.floor(now / HOUR_MS) * HOUR_MS), events: 1 },
        ...{ read_events: 0, lag_ms: 0, longest_gap_ms: 0 },
      })
      .onConflict((conflict) =>
        conflict
          .columns(['source', 'hour'])
          .doUpdateSet({ events: sql`log_source_hours.events + 1` as never }),
      )
      .execute()
    return answer
  })
}

/** What a clock that was ahead has written: until then nobody would be silent, or back. */
async function forgetFuture(tx: Transaction<Tables>, now: Date) {
  const past = (name: string) => sql`least(${sql.ref(name)}, ${now}::timestamptz)`
  // The least of a time and none would be the time.
  const pastIfAny = (name: string) =>
    sql`CASE WHEN ${sql.ref(name)} IS NOT NULL THEN ${past(name)} END`
  await sql`UPDATE log_sources SET first_received_at = ${past('first_received_at')},
      last_received_at = ${past('last_received_at')}, silent_since = ${pastIfAny('silent_since')},
      expected_by = NULL, looked_at = NULL
    WHERE greatest(last_received_at, silent_since, looked_at) > ${now}`.execute(tx)
  await sql`UPDATE log_source_watch
    SET intake_silent_since = ${pastIfAny('intake_silent_since')}`.execute(tx)
  await tx.deleteFrom('log_source_minutes').where('minute', '>', now).execute()
  await tx.deleteFrom('log_source_hours').where('hour', '>', now).execute()
  await tx.deleteFrom('log_parser_hours').where('hour', '>', now).execute()
}

export async function readWatchedHours(db: Kysely<Tables>, now: number): Promise<Set<number>> {
  const rows = await hoursOf(db, '', now)
  return new Set(
    rows.filter(({ events }) => Number(events) >= FULL_HOUR_BEATS).map(({ hour }) => hourOf(hour)),
  )
}

export async function readHistory(
  db: Kysely<Tables>,
  { source, first_received_at }: { source: string; first_received_at: Date },
  watched: ReadonlySet<number>,
  now: number,
): Promise<SourceHistory> {
  const rows = await hoursOf(db, source, now)
  return {
    firstHour: hourOf(first_received_at),
    active: new Map(rows.map(({ hour, longest_gap_ms }) => [hourOf(hour), Number(longest_gap_ms)])),
    isWatched: (hour) => watched.has(hour),
  }
}

const hoursOf = (db: Kysely<Tables>, source: string, now: number) =>
  db
    .selectFrom('log_source_hours')
    .select(['hour', 'events', 'longest_gap_ms'])
    .where('source', '=', source)
    .where('hour', '>=', new Date(now - HISTORY_HOURS * HOUR_MS))
    .execute()

const hourOf = (at: Date) => Math.floor(at.getTime() / HOUR_MS)

const KEPT_MS = 36 * 86_400_000
const FORGOTTEN_MS = 60 * 86_400_000

/** What is too old to say anything about today. */
export async function tidySources(db: Kysely<Tables>, now: number) {
  const before = (ms: number) => new Date(now - ms)
  await db.deleteFrom('log_source_minutes').where('minute', '<', before(HOUR_MS)).execute()
  await db.deleteFrom('log_source_hours').where('hour', '<', before(KEPT_MS)).execute()
  await db.deleteFrom('log_parser_hours').where('hour', '<', before(KEPT_MS)).execute()
  await db.deleteFrom('log_sources').where('last_received_at', '<', before(FORGOTTEN_MS)).execute()
  await sql`DELETE FROM log_unread_examples example
    WHERE NOT EXISTS (SELECT FROM log_sources WHERE source = example.source)`.execute(db)
}
