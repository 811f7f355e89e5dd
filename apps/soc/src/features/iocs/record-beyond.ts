import type { IocType } from '@manara/soc-contract/iocs'
import { sql } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'

export type Beyond = { type: IocType; value: string; count: number; isNews: boolean }

/** Matches of which no sighting is kept: counted on their indicator and, once an hour, told. */
export async function recordBeyond(
  { internalWorkflow }: Pick<Changes, 'internalWorkflow'>,
  beyond: Beyond[],
): Promise<void> {
  await internalWorkflow(async (change) => {
    for (const { type, value, count, isNews } of beyond) {
      const row = await change.tx
        .updateTable('iocs')
        .set({ unrecorded_sightings: sql<string>`unrecorded_sightings + ${count}` })
        .where('type', '=', type)
        .where('value', '=', value)
        .returning('id')
        .executeTakeFirst()
      if (row && isNews) await change.publish('ioc.capped', { id: row.id, type, value })
    }
  })
}
