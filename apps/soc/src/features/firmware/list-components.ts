import type { ComponentListQuery, FoundComponent } from '@manara/soc-contract/firmware'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { countedPage } from '../../db/counted-page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { DEVICE_COUNT } from './firmware-record.ts'

type Db = Kysely<Tables>

/** In which firmware a component is, and on how many devices. */
export async function listComponents(
  db: Db,
  query: ComponentListQuery,
): Promise<ListOf<FoundComponent>> {
  const chosen = sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `)
  return countedPage(query, {
    async rows(offset, limit) {
      const order = sql.raw(query.order)
      // Devices are counted for the firmware of this page alone, each of them once.
      const { rows } = await sql<FoundComponent>`
        WITH page AS MATERIALIZED (
          SELECT part.* FROM firmware_components AS part WHERE ${chosen}
          ORDER BY part.name_key ${order}, part.id ${order} OFFSET ${offset} LIMIT ${limit}
        ), known AS MATERIALIZED (
          SELECT id, vendor, product, version, sha256, ${DEVICE_COUNT} AS device_count
          FROM firmware WHERE id IN (SELECT firmware_id FROM page)
        )
        SELECT page.id, firmware_id, name, page.version, type, supplier, purl, cpe, license,
          page.sha256, to_jsonb(known) - 'device_count' AS firmware, device_count
        FROM page JOIN known ON known.id = firmware_id
        ORDER BY name_key ${order}, page.id ${order}`.execute(db)
      return rows
    },
    async total() {
      const { rows } = await sql<{ total: string }>`
        SELECT count(*) AS total FROM firmware_components AS part WHERE ${chosen}`.execute(db)
      return Number(rows[0]?.total)
    },
  })
}

function* conditionsOf(query: ComponentListQuery): Iterable<RawBuilder<boolean>> {
  const { name, version, purl, firmware_id, q } = query
  if (name !== undefined) yield sql`part.name_key = lower(${name})`
  if (version !== undefined) yield sql`part.version = ${version}`
  if (purl !== undefined) yield sql`starts_with(part.purl, ${purl})`
  if (firmware_id !== undefined) {
    yield isRecordId(firmware_id) ? sql`part.firmware_id = ${firmware_id}` : sql`false`
  }
  if (q !== undefined) {
    yield sql`strpos(lower(concat_ws(' ', part.name, part.version, part.supplier, part.purl,
      part.cpe)), lower(${q})) > 0`
  }
}
