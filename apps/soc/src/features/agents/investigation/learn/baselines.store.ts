import { storable } from '@manara/soc-contract/storable'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'
import type { Baseline } from '../../domain/investigation/baseline.ts'
import type { Learnt } from '../thread/analyst.ts'

type Db = Kysely<Tables>

export const DAYS = 28

/** Of the days that are kept; told apart by when the newest of them was learnt. */
export async function readBaseline(db: Db): Promise<Baseline> {
  const [days, features] = await Promise.all([
    sql<{ hosts: number }>`
      SELECT coalesce(sum(hosts), 0)::int AS hosts FROM baseline_days WHERE learnt_at IS NOT NULL
    `.execute(db),
    sql<{ feature: string; hosts: number }>`
      SELECT feature, sum(hosts)::int AS hosts FROM baseline_features GROUP BY feature
    `.execute(db),
  ])
  return {
    hostDays: days.rows[0]?.hosts ?? 0,
    seen: new Map(features.rows.map(({ feature, hosts }) => [feature, hosts])),
  }
}

export async function newestLearnt(db: Db): Promise<number> {
  const row = await db
    .selectFrom('baseline_days')
    .select(({ fn }) => fn.max('learnt_at').as('at'))
    .executeTakeFirst()
  return row?.at?.getTime() ?? 0
}

/** The next day that is over and not learnt, now of this process; undefined when there is none. */
export async function claimDay(
  db: Db,
  days: string[],
  leaseMs: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ day: string }>`
    INSERT INTO baseline_days AS known (day, lease_until)
    SELECT day, now() + ${leaseMs} * interval '1 millisecond'
    FROM unnest(${days}::date[]) AS day
    WHERE NOT EXISTS (SELECT FROM baseline_days AS learnt WHERE learnt.day = day.day
      AND (learnt.learnt_at IS NOT NULL OR learnt.lease_until > now()))
    ORDER BY day DESC LIMIT 1
    ON CONFLICT (day) DO UPDATE SET lease_until = excluded.lease_until
      WHERE known.learnt_at IS NULL AND known.lease_until <= now()
    RETURNING day::text`.execute(db)
  return rows[0]?.day
}

export async function keepDay(
  db: Db,
  day: string,
  { hosts, features }: Learnt,
  read: { events: number; isPartial: boolean },
) {
  await db.transaction().execute(async (tx) => {
    await sql`DELETE FROM baseline_features WHERE day = ${day}::date`.execute(tx)
    await sql`
      INSERT INTO baseline_features (day, feature, hosts)
      SELECT ${day}::date, feature, max(hosts)
      FROM unnest(${features.map(([feature]) => storable(feature))}::text[],
        ${features.map(([, count]) => count)}::int[]) AS learnt (feature, hosts)
      GROUP BY feature`.execute(tx)
    await sql`
      UPDATE baseline_days SET hosts = ${hosts}, events = ${read.events},
        is_partial = ${read.isPartial}, learnt_at = now(), lease_until = NULL
      WHERE day = ${day}::date`.execute(tx)
    await sql`
      DELETE FROM baseline_days WHERE day < ${day}::date AND day < now()::date - ${DAYS}::int
    `.execute(tx)
  })
}
