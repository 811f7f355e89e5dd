import type { Kysely } from 'kysely'
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

export async function remember(db: Db, deviceId: string, added: Subscription[]): Promise<void> {
  const known = (await rememberedOf(db, deviceId)) ?? []
  const topics = new Set(added.map(({ topic }) => topic))
  const all = [
    ...known.filter(({ topic }) => !topics.has(topic)),
    ...added.map(({ topic, qos }) => ({ topic, qos })),
  ]
  const subscriptions = JSON.stringify(all)
  await db
    .insertInto('cps_sessions')
    .values({ device_id: deviceId, subscriptions })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet({ subscriptions }))
    .execute()
}

export async function forget(db: Db, deviceId: string): Promise<void> {
  await db.deleteFrom('cps_sessions').where('device_id', '=', deviceId).execute()
}
