import { nextTurn as turn } from '@manara/kit/turns'
import type { IocType } from '@manara/soc-contract/iocs'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { createIndicatorMatcher, type Matcher } from './domain/indicator-matcher.ts'

// Small enough that nobody waits for the loop while a million are read.
const PAGE = 2_000

export type IocIndex = {
  readonly matcher: Matcher
  /** Reads what was added since the last time, in any process; at first, everything. */
  refresh(): Promise<void>
  /** Hears when that was something, and since when it may have been missing. */
  onAdded(listener: (missingSince: number) => void): void
}

/** Every indicator in memory, as hashes: what was removed meanwhile is found out in the database. */
export function createIocIndex(
  db: Kysely<Tables>,
  signal: AbortSignal,
  now: () => number,
): IocIndex {
  const matcher = createIndicatorMatcher()
  let readFrom: string | undefined
  let readAt = now()
  let tell: (missingSince: number) => void = () => {}
  let refreshing: Promise<void> | undefined
  let isWantedAgain = false

  async function readNew() {
    const began = now()
    // Those that are open now may commit rows later: the next time begins with the oldest of them.
    const { rows } = await sql<{ oldest: string }>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`.execute(db)
    const since = readFrom
    const changed = since === undefined ? sql`true` : sql`changed_xid >= ${since}::xid8`
    const added = await addAll(db, matcher, sql`NOT revoked AND ${changed}`, signal)
    readFrom = rows[0]?.oldest
    if (added > 0 && since !== undefined) tell(readAt)
    readAt = began
  }

  async function refresh(): Promise<void> {
    isWantedAgain = true
    refreshing ??= (async () => {
      try {
        while (isWantedAgain) {
          isWantedAgain = false
          await readNew()
        }
      } finally {
        refreshing = undefined
      }
    })()
    return refreshing
  }

  return {
    matcher,
    refresh,
    onAdded(listener) {
      tell = listener
    },
  }
}

/** Page by page in the order of the unique index, as plain text, which costs the least to read. Answers how many. */
export async function addAll(
  db: Kysely<Tables>,
  matcher: Matcher,
  which: RawBuilder<unknown>,
  signal: AbortSignal,
): Promise<number> {
  let added = 0
  let last = { type: '', value: '' }
  while (true) {
    signal.throwIfAborted()
    const { rows } = await sql<{ lines: string | null }>`
      SELECT string_agg(type || ' ' || value, E'\n' ORDER BY type, value) AS lines FROM (
        SELECT type, value FROM iocs
        WHERE (type, value) > (${last.type}, ${last.value}) AND ${which}
        ORDER BY type, value LIMIT ${PAGE}) AS page`.execute(db)
    const lines = rows[0]?.lines?.split('\n') ?? []
    for (const line of lines) {
      const space = line.indexOf(' ')
      last = { type: line.slice(0, space), value: line.slice(space + 1) }
      matcher.add({ type: last.type as IocType, value: last.value })
    }
    added += lines.length
    if (lines.length < PAGE) return added
    await turn()
  }
}
