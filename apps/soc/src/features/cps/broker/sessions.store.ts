import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Subscription } from '../../../ports/device-broker.ts'

type Db = Kysely<Tables>

export async function rememberedOf(db: Db, deviceId: string): Promise<Subscription[] | undefined> {
  const row = await db
    .selectFrom('cps_sessions')
    .select('subscriptions')
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return row?.subscriptions
}

/** In one statement: a device may subscribe twice at once, and both are to be remembered. */
export async function remember(db: Db, deviceId: string, added: Subscription[]): Promise<void> {
  const subscriptions = JSON.stringify(added.map(({ topic, qos }) => ({ topic, qos })))
  const topics = added.map(({ topic }) => topic)
  await sql`
    INSERT INTO cps_sessions AS known (device_id, subscriptions)
    VALUES (${deviceId}, ${subscriptions}::jsonb)
    ON CONFLICT (device_id) DO UPDATE SET subscriptions = (
      SELECT coalesce(jsonb_agg(one), '[]') FROM jsonb_array_elements(known.subscriptions) AS one
      WHERE one->>'topic' <> ALL(${topics}::text[])) || excluded.subscriptions`.execute(db)
}

export async function forgetTopics(db: Db, deviceId: string, topics: string[]): Promise<void> {
  await sql`
    UPDATE cps_sessions SET subscriptions = (
      SELECT coalesce(jsonb_agg(one), '[]') FROM jsonb_array_elements(subscriptions) AS one
      WHERE one->>'topic' <> ALL(${topics}::text[]))
    WHERE device_id = ${deviceId}`.execute(db)
}

export async function forget(db: Db, deviceId: string): Promise<void> {
  await db.deleteFrom('cps_sessions').where('device_id', '=', deviceId).execute()
}
