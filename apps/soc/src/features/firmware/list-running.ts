import type { RunningFirmware, RunningListQuery } from '@manara/soc-contract/firmware'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { countedPage } from '../../db/counted-page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

/** Each device with what it runs and what is thought of that. */
export function listRunning(
  db: Kysely<Tables>,
  query: RunningListQuery,
): Promise<ListOf<RunningFirmware>> {
  const chosen = sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `)
  return countedPage(query, {
    async rows(offset, limit) {
      const { rows } = await sql<RunningFirmware>`
        SELECT * FROM running_firmware WHERE ${chosen}
        ORDER BY lower(device_name) ${sql.raw(query.order)}, device_id ${sql.raw(query.order)}
        OFFSET ${offset} LIMIT ${limit}`.execute(db)
      return rows
    },
    async total() {
      const { rows } = await sql<{ total: string }>`
        SELECT count(*) AS total FROM running_firmware WHERE ${chosen}`.execute(db)
      return Number(rows[0]?.total)
    },
  })
}

function* conditionsOf(query: RunningListQuery): Iterable<RawBuilder<boolean>> {
  const { state, site_id, firmware_id, q } = query
  if (state !== undefined) yield sql`state = ${state}`
  if (site_id !== undefined) yield sql`site_id = ${site_id}`
  if (firmware_id !== undefined) {
    yield isRecordId(firmware_id) ? sql`firmware_id = ${firmware_id}` : sql`false`
  }
  if (q !== undefined) {
    yield sql`strpos(lower(concat_ws(' ', device_name, vendor, model, firmware_version,
      firmware_sha256)), lower(${q})) > 0`
  }
}
