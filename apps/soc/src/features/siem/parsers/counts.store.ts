import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

export type ParserCounts = { events: number; events_24h: number; last_read_at: string | null }
export const NOTHING_READ: ParserCounts = { events: 0, events_24h: 0, last_read_at: null }

const DAY_MS = 86_400_000
const MOST_UNREAD = 50

/** What each parser read over the last thirty days, by what `_parser` says. */
export async function readCounts(
  db: Kysely<Tables>,
  now: number,
): Promise<Map<string, ParserCounts>> {
  const rows = await db
    .selectFrom('log_parser_hours')
    .select(({ fn }) => [
      'parser',
      fn.sum<string>('events').as('events'),
      sql<string | null>`sum(events) FILTER (WHERE hour > ${new Date(now - DAY_MS)})`.as('recent'),
      fn.max('last_at').as('last_at'),
    ])
    .where('parser', '<>', '')
    .where('hour', '>', new Date(now - 30 * DAY_MS))
    .groupBy('parser')
    .execute()
  return new Map(
    rows.map(({ parser, events, recent, last_at }) => [
      parser,
      {
        events: Number(events),
        events_24h: Number(recent ?? 0),
        last_read_at: last_at.toISOString(),
      },
    ]),
  )
}

/** What no parser read over the last day, with a few of those events. */
export async function readUnread(db: Kysely<Tables>, now: number) {
  const rows = await db
    .selectFrom('log_parser_hours')
    .select(({ fn }) => [
      'source',
      sql<string>`coalesce(sum(events) FILTER (WHERE parser = ''), 0)`.as('unread'),
      fn.sum<string>('events').as('events'),
    ])
    .where('hour', '>', new Date(now - DAY_MS))
    .groupBy('source')
    .execute()
  const unread = rows
    .map(({ source, unread: count, events }) => ({
      ...{ source, events: Number(count), share: Number(count) / Number(events) },
    }))
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.events - a.events)
  const listed = unread.slice(0, MOST_UNREAD)
  const examples = await examplesOf(
    db,
    listed.map(({ source }) => source),
  )
  return {
    events_24h: unread.reduce((sum, { events }) => sum + events, 0),
    sources: listed.map((one) => ({ ...one, examples: examples.get(one.source) ?? [] })),
  }
}

async function examplesOf(db: Kysely<Tables>, sources: string[]) {
  const rows =
    sources.length === 0
      ? []
      : await db
          .selectFrom('log_unread_examples')
          .select(['source', 'log_id', 'message', 'received_at'])
          .where('source', 'in', sources)
          .orderBy('place')
          .execute()
  return Map.groupBy(
    rows.map(({ received_at, ...row }) => ({ ...row, received_at: received_at.toISOString() })),
    ({ source }) => source,
  )
}
