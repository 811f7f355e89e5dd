import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type {
  Correlation,
  CorrelationListQuery,
  FoundCorrelation,
} from '@manara/soc-contract/correlations'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { type Correlated, joined } from './domain/correlate.ts'
import type { StoredRule } from './rules.store.ts'

type Db = Kysely<Tables>

export async function correlationById(db: Db, id: string): Promise<Correlation> {
  const one = db.selectFrom('correlations').selectAll().where('id', '=', id)
  const row = isRecordId(id) ? await one.executeTakeFirst() : undefined
  if (!row) throw notFound('correlation', id)
  return toCorrelation(row)
}

export function listCorrelations(db: Db, query: CorrelationListQuery) {
  const listed = db
    .selectFrom('correlations')
    .selectAll()
    .where(sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime(query.sort, query.order), listed, toCorrelation)
}

function* conditionsOf(query: CorrelationListQuery): Iterable<RawBuilder<boolean>> {
  const { rule_id, severity, site_id, zone, host, evidence_id, q } = query
  if (rule_id !== undefined) {
    yield isRecordId(rule_id) ? sql`rule_id = ${rule_id}` : sql`false`
  }
  if (severity !== undefined) yield sql`severity = ${severity}`
  if (site_id !== undefined) yield sql`site_id = ${site_id}`
  if (zone !== undefined) yield sql`zone = ${zone}`
  if (host !== undefined) {
    yield sql`(lower(host) = lower(${host}) OR EXISTS (SELECT FROM jsonb_array_elements(evidence)
      AS part WHERE lower(part->>'host') = lower(${host})))`
  }
  if (evidence_id !== undefined) {
    yield sql`evidence @> ${JSON.stringify([{ id: evidence_id }])}::jsonb`
  }
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (q !== undefined) yield sql`strpos(lower(concat_ws(' ', title, why)), lower(${q})) > 0`
}

/** As it is now, and whether that is new; null when nothing has come to it. */
export async function storeCorrelation(
  tx: Db,
  rule: StoredRule,
  { key, found }: Correlated,
): Promise<{ correlation: Correlation; isNew: boolean } | null> {
  const added = await tx
    .insertInto('correlations')
    .values({ id: randomUUIDv7(), rule_id: rule.id, key, ...stored(found) })
    .onConflict((known) => known.columns(['rule_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (added) return { correlation: toCorrelation(added), isNew: true }
  const before = await tx
    .selectFrom('correlations')
    .selectAll()
    .where('rule_id', '=', rule.id)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const all = joined(rule, before.evidence, found)
  const isSame =
    JSON.stringify(all.evidence.map(({ id }) => id)) ===
      JSON.stringify(before.evidence.map(({ id }) => id)) &&
    all.evidence_count <= before.evidence_count
  if (isSame) return null
  const row = await tx
    .updateTable('correlations')
    .set({ ...stored(all), updated_at: sql<Date>`now()` })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { correlation: toCorrelation(row), isNew: false }
}

const stored = (found: FoundCorrelation) => ({
  ...found,
  evidence: JSON.stringify(found.evidence),
})

const toCorrelation = ({ key: _key, ...row }: Selectable<Tables['correlations']>): Correlation => ({
  ...row,
  first_at: row.first_at.toISOString(),
  last_at: row.last_at.toISOString(),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
