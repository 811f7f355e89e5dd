import { AppError } from '@manara/kit/errors'
import { nextTurn } from '@manara/kit/turns'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { inPieces } from '../../ports/log-size.ts'
import type { LogStore, StoredLog } from '../../ports/log-store.ts'
import { createIndicatorMatcher, type Matcher } from './domain/indicator-matcher.ts'
import type { Indicator } from './domain/normalise.ts'
import { addAll } from './ioc-index.ts'
import { type Hit, matchLog } from './match-log.ts'
import { queryFor } from './query-for.ts'
import { recordSightings, type SightingDeps } from './record-sightings.ts'

// Up to so many are searched for one by one; for more, one reading of all logs is cheaper.
const ONE_BY_ONE = 50
const MOST_OF_ONE = 1_000
const SEARCH_MS = 10_000
const READING_MS = 10 * 60_000
const DAY = 86_400_000
const AT_ONCE = 200

export type LookBackDeps = {
  db: Kysely<Tables>
  logs: Pick<LogStore, 'search' | 'scan'>
  days: number
  now(): number
  /** Aborted when the service ends: what was not finished stays pending. */
  signal: AbortSignal
} & SightingDeps

type Pending = { id: string } & Indicator

/** Looks for new indicators in the stored logs; true when there may be more of them. */
export async function lookBack(deps: LookBackDeps): Promise<boolean> {
  const { db } = deps
  // Up to the oldest transaction that is still open, all that was added can be seen.
  const { rows } = await sql<{ oldest: string }>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`.execute(db)
  const oldest = rows[0]?.oldest ?? '0'
  await beginAgainAfterRestore(db)
  const these = sql<boolean>`created_xid >= (SELECT done_xid FROM ioc_lookback)
    AND created_xid < ${oldest}::xid8`
  const pending = await db
    .selectFrom('iocs')
    .select(['id', 'type', 'value'])
    .where(these)
    .limit(ONE_BY_ONE + 1)
    .execute()
  if (pending.length === 0) return false
  try {
    if (pending.length > ONE_BY_ONE) await readAllLogs(deps, these)
    else for (const ioc of pending) await searchFor(deps, ioc)
  } catch (error) {
    // The log store is away or full: they stay pending, and the next pass comes.
    if (error instanceof AppError && error.status === 503) return false
    throw error
  }
  await sql`UPDATE ioc_lookback SET done_xid = ${oldest}::xid8
    WHERE done_xid < ${oldest}::xid8`.execute(db)
  return true
}

/**
 * Numbers of transactions belong to one cluster of PostgreSQL: in a database that was restored into
 * another they may lie in its future, and all that is added would count as looked for already.
 */
async function beginAgainAfterRestore(db: Kysely<Tables>) {
  const { rows } = await sql<{ is_restored: boolean }>`
    SELECT done_xid > pg_snapshot_xmax(pg_current_snapshot()) AS is_restored
    FROM ioc_lookback`.execute(db)
  if (!rows[0]?.is_restored) return
  await db.transaction().execute(async (tx) => {
    await sql`UPDATE iocs SET created_xid = pg_current_xact_id(), changed_xid = pg_current_xact_id()
      WHERE greatest(created_xid, changed_xid) > pg_snapshot_xmax(pg_current_snapshot())`.execute(
      tx,
    )
    await sql`UPDATE ioc_lookback SET done_xid = '0'`.execute(tx)
  })
}

async function searchFor(deps: LookBackDeps, ioc: Pending) {
  const { logs, partial, total } = await deps.logs.search(
    {
      query: queryFor(ioc),
      ...windowOf(deps),
      skip: 0,
      limit: MOST_OF_ONE,
      order: 'desc',
      countUpTo: MOST_OF_ONE + 1,
    },
    { timeLimitMs: SEARCH_MS, signal: deps.signal },
  )
  const matcher = createIndicatorMatcher()
  matcher.add(ioc)
  await recordSightings(deps, await hitsIn(matcher, logs))
  const isWhole = partial === null && (total ?? 0) <= MOST_OF_ONE
  if (!isWhole) await markPartial(deps.db, sql<boolean>`id = ${ioc.id}`)
}

async function readAllLogs(deps: LookBackDeps, these: RawBuilder<boolean>) {
  const matcher = createIndicatorMatcher()
  await addAll(deps.db, matcher, these, deps.signal)
  const ofOne = new Map<string, number>()
  const ends = deps.now() + READING_MS
  const { signal } = deps
  const all = { query: { kind: 'all' }, ...windowOf(deps) } as const
  for await (const logs of deps.logs.scan(all, { signal })) {
    const found = await hitsIn(matcher, logs)
    const hits = found.filter(({ value }) => {
      const seen = (ofOne.get(value) ?? 0) + 1
      ofOne.set(value, seen)
      return seen <= MOST_OF_ONE
    })
    await recordSightings(deps, hits)
    if (deps.now() > ends) return markPartial(deps.db, these)
  }
}

/** By arrival: what came late, or from a machine with a wrong clock, was seen all the same. */
export const windowOf = ({ days, now }: Pick<LookBackDeps, 'days' | 'now'>) => ({
  time: {},
  received: { from: now() - days * DAY },
})

/** A few events at a time: in between others have their turn. */
async function hitsIn(matcher: Matcher, logs: StoredLog[]): Promise<Hit[]> {
  const hits: Hit[] = []
  for (const piece of inPieces(logs, { events: AT_ONCE })) {
    hits.push(...piece.logs.flatMap((log) => matchLog(matcher, log)))
    await nextTurn()
  }
  return hits
}

async function markPartial(db: Kysely<Tables>, which: RawBuilder<boolean>) {
  await db.updateTable('iocs').set({ lookback_partial: true }).where(which).execute()
}
