import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

const WRITE_MS = 5_000

/** Events by source on their way to the database, where all processes add theirs. */
export function createSourceLedger({ db, now }: { db: Kysely<Tables>; now(): number }) {
  let counts = new Map<string, { events: number; lastAt: number }>()
  let writtenAt = 0

  function add(key: string, events: number, lastAt: number) {
    const known = counts.get(key)
    counts.set(key, {
      events: events + (known?.events ?? 0),
      lastAt: Math.max(lastAt, known?.lastAt ?? 0),
    })
  }

  return {
    note(seen: Record<string, number>, lastAt: number) {
      for (const [key, events] of Object.entries(seen)) add(key, events, lastAt)
    },
    /** Now and then, or at once. What fails is written the next time. */
    async flush(isLast = false) {
      if (counts.size === 0 || (!isLast && now() - writtenAt < WRITE_MS)) return
      writtenAt = now()
      const written = counts
      counts = new Map()
      try {
        await write(db, written)
      } catch (error) {
        for (const [key, { events, lastAt }] of written) add(key, events, lastAt)
        throw error
      }
    },
  }
}

async function write(
  db: Kysely<Tables>,
  counts: Map<string, { events: number; lastAt: number }>,
): Promise<void> {
  // Always in the same order, so that processes do not wait for each other in a circle.
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await sql`
    INSERT INTO detection_sources AS known (source_key, events, last_event_at)
    SELECT * FROM unnest(${rows.map(([key]) => key)}::text[],
      ${rows.map(([, { events }]) => events)}::bigint[],
      ${rows.map(([, { lastAt }]) => new Date(lastAt))}::timestamptz[])
    ON CONFLICT (source_key) DO UPDATE SET events = known.events + excluded.events,
      last_event_at = greatest(known.last_event_at, excluded.last_event_at)`.execute(db)
}
