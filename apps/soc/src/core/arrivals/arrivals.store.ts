import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>

/** One process as a follower of arriving events, under the name it will have after a restart. */
export type Place = { follower: string; stream: string }

/** Everything that arrived before has been looked at; undefined before the first time. */
export async function readCheckpoint(
  db: Db,
  { follower, stream }: Place,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('arrival_streams')
    .select('received_until')
    .where('follower', '=', follower)
    .where('stream', '=', stream)
    .executeTakeFirst()
  return row?.received_until.getTime()
}

export async function saveCheckpoint(
  db: Db,
  place: Place,
  { until, now }: { until: number; now: number },
): Promise<void> {
  await db
    .insertInto('arrival_streams')
    .values({ ...place, received_until: new Date(until), seen_at: new Date(now) })
    .onConflict((conflict) =>
      conflict.columns(['follower', 'stream']).doUpdateSet({
        received_until: (of) => of.ref('excluded.received_until'),
        seen_at: (of) => of.ref('excluded.seen_at'),
      }),
    )
    .execute()
}

export async function dropCheckpoint(db: Db, { follower, stream }: Place): Promise<void> {
  await db
    .deleteFrom('arrival_streams')
    .where('follower', '=', follower)
    .where('stream', '=', stream)
    .execute()
}

/** Removes streams that nobody has kept up since `before`; answers from where the farthest behind was. */
export async function removeVanished(
  tx: Transaction<Tables>,
  { follower, stream }: Place,
  before: number,
): Promise<number | undefined> {
  const gone = await tx
    .deleteFrom('arrival_streams')
    .where('follower', '=', follower)
    .where('stream', '<>', stream)
    .where('seen_at', '<', new Date(before))
    .returning('received_until')
    .execute()
  return gone.length === 0
    ? undefined
    : Math.min(...gone.map(({ received_until }) => received_until.getTime()))
}

/** One at a time changes the backlog of a store: what two add together must not be read twice. */
export async function holdBacklog(tx: Transaction<Tables>, key: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`arrivals ${key}`}, 0))`.execute(tx)
}
