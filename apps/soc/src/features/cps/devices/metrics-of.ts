import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { deviceById } from './devices.store.ts'

export async function metricsOf(db: Kysely<Tables>, id: string) {
  const { id: device_id } = await deviceById(db, id)
  const row = await db
    .selectFrom('cps_metrics')
    .select(['metrics', 'updated_at'])
    .where('device_id', '=', device_id)
    .executeTakeFirst()
  return {
    device_id,
    metrics: row?.metrics ?? {},
    updated_at: row?.updated_at.toISOString() ?? null,
  }
}
