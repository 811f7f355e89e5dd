import type { Component, ComponentListQuery, FoundComponent } from '@manara/soc-contract/firmware'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { countedPage } from '../../db/counted-page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>

/** In which firmware a component is, and on how many devices. */
export async function listComponents(
  db: Db,
  query: ComponentListQuery,
): Promise<ListOf<FoundComponent>> {
  type Row = Component & FoundComponent['firmware'] & { device_count: number }
  const chosen = sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `)
  return countedPage(query, {
    async rows(offset, limit) {
      const { rows } = await sql<Row & { part_sha256: string | null }>`
        SELECT part.id, part.firmware_id, part.name, part.version, part.type, part.supplier,
          part.purl, part.cpe, part.license, part.sha256, to_jsonb(known) AS firmware,
          (SELECT count(*)::integer FROM running_firmware AS running
            WHERE running.firmware_sha256 = known.sha256) AS device_count
        FROM firmware_components AS part
        JOIN (SELECT id, vendor, product, version, sha256 FROM firmware) AS known
          ON known.id = part.firmware_id
        WHERE ${chosen}
        ORDER BY part.name_key ${sql.raw(query.order)}, part.id ${sql.raw(query.order)}
        OFFSET ${offset} LIMIT ${limit}`.execute(db)
      return rows as unknown as FoundComponent[]
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
