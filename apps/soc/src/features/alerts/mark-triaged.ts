import { sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { ALERT_COLUMNS, toAlert, withoutRaw } from './alert-record.ts'
import { handledBy } from './handled-by.ts'

/**
 * Somebody has looked at them, in a storm at hundreds together. Whoever has set another status
 * meanwhile knows better. Locked in the order in which those who post them do.
 */
export async function markTriaged(change: ChangeContext, ids: string[]): Promise<void> {
  const rows = await change.tx
    .updateTable('alerts')
    .set({
      status: 'triaged',
      ...handledBy(change.principal, 'triaged'),
      updated_at: sql<Date>`now()`,
    })
    .where('id', 'in', (still) =>
      still
        .selectFrom('alerts')
        .select('id')
        .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
        .where('status', '=', 'new')
        .orderBy('dedup_hash')
        .forNoKeyUpdate(),
    )
    .returning(ALERT_COLUMNS)
    .execute()
  for (const row of rows) {
    const target = `alert:${row.id}`
    const [before, after] = [{ status: 'new' }, { status: row.status }]
    await change.audit({ action: 'alert.update', target, before, after })
    await change.publish('alert.updated', withoutRaw(toAlert(row)))
  }
}
