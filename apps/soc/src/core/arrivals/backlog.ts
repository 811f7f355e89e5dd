import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { holdBacklog } from './arrivals.store.ts'
import { type Stretch, uncovered } from './uncovered.ts'

type Db = Kysely<Tables>

/** Whose stretches these are: a follower's, on a store that all share or on one process's own. */
export type BacklogOf = { follower: string; store: string }

export type Page = Stretch & { id: string; token: string }

const LEASE_MS = 60_000
/** A page that could not be read is left alone for so long: others come first. */
const REST_MS = 10_000

/**
 * Adds what has to be read from the store. Stretches that wait already are not added again; those
 * somebody reads at this moment are, since the reading may be past what was missed.
 */
export async function addBacklog(
  tx: Transaction<Tables>,
  of: BacklogOf,
  stretch: Stretch,
): Promise<void> {
  await holdBacklog(tx, `${of.follower} ${of.store}`)
  const waiting = await tx
    .selectFrom('arrival_backlog')
    .select(['received_from', 'received_to'])
    .where('follower', '=', of.follower)
    .where('store', '=', of.store)
    .where('lease_until', 'is', null)
    .execute()
  const others = waiting.map(({ received_from, received_to }) => ({
    from: received_from.getTime(),
    to: received_to.getTime(),
  }))
  for (const part of uncovered(stretch, others)) await insert(tx, of, part)
}

async function insert(tx: Transaction<Tables>, of: BacklogOf, { from, to }: Stretch) {
  await tx
    .insertInto('arrival_backlog')
    .values({
      id: randomUUIDv7(),
      ...of,
      received_from: new Date(from),
      received_to: new Date(to),
    })
    .execute()
}

/** The oldest page that nobody reads, at most so long; the rest of its stretch is for anybody. */
export async function claimPage(
  db: Db,
  of: BacklogOf,
  { pageMs, now }: { pageMs: number; now: number },
): Promise<Page | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('arrival_backlog')
      .select(['id', 'received_from', 'received_to'])
      .where('follower', '=', of.follower)
      .where('store', '=', of.store)
      .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<=', new Date(now))]))
      .orderBy('received_from')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!row) return undefined
    const from = row.received_from.getTime()
    const end = row.received_to.getTime()
    const to = Math.min(end, from + pageMs)
    const token = randomUUIDv7()
    if (to < end) await insert(tx, of, { from: to, to: end })
    await tx
      .updateTable('arrival_backlog')
      .set({
        received_to: new Date(to),
        lease_token: token,
        lease_until: new Date(now + LEASE_MS),
      })
      .where('id', '=', row.id)
      .execute()
    return { id: row.id, token, from, to }
  })
}

export async function renewPage(db: Db, { id, token }: Page, now: number): Promise<void> {
  await db
    .updateTable('arrival_backlog')
    .set({ lease_until: new Date(now + LEASE_MS) })
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .execute()
}

export async function finishPage(db: Db, { id, token }: Page): Promise<void> {
  await db
    .deleteFrom('arrival_backlog')
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .execute()
}

/** It was not read to its end: anybody's again, after a while when it failed at `failedAt`. */
export async function putBack(db: Db, { id, token }: Page, failedAt?: number): Promise<void> {
  const lease_until = failedAt === undefined ? null : new Date(failedAt + REST_MS)
  await db
    .updateTable('arrival_backlog')
    .set({ lease_token: null, lease_until })
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .execute()
}

/** Of a store of one's own: whoever read a page of it is gone. */
export async function freeBacklog(db: Db, { follower, store }: BacklogOf): Promise<void> {
  await db
    .updateTable('arrival_backlog')
    .set({ lease_token: null, lease_until: null })
    .where('follower', '=', follower)
    .where('store', '=', store)
    .execute()
}

/** Of stores that nobody opens any more, and what is too old to be of use. */
export async function forgetBacklog(db: Db, follower: string, before: number): Promise<void> {
  await db
    .deleteFrom('arrival_backlog')
    .where('follower', '=', follower)
    .where('received_to', '<', new Date(before))
    .execute()
}
