import { invalid } from '@manara/kit/errors'
import { type AuditListQuery, AuditOutcome, type AuditRecord } from '@manara/soc-contract/audit'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { namesNoHidden, seesAll } from '../../core/access/reader.ts'
import type { AuditRow } from '../../core/audit/chain.ts'
import { spellingsOf } from '../../core/identity/is-named.ts'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'

/** In the order of writing: ids grow, so the id of the last entry is the cursor. */
export async function listAudit(
  db: Kysely<Tables>,
  query: AuditListQuery,
): Promise<ListOf<AuditRecord>> {
  const { skip, limit, cursor, order } = query
  const actors = query.actor && (await spellingsOf(db, query.actor))
  const conditions = conditionsOf({ ...query, actors })
  const matching = db
    .selectFrom('audit_log')
    .where(conditions.length === 0 ? sql<boolean>`true` : sql.join<boolean>(conditions, sql` AND `))
  let page = matching
    .selectAll()
    .orderBy('id', order)
    .offset(skip)
    .limit(limit + 1)
  if (cursor !== undefined) page = page.where('id', order === 'asc' ? '>' : '<', idOf(cursor))

  const counted =
    conditions.length === 0
      ? db.selectNoFrom(ALL.as('total'))
      : matching.select((count) => count.fn.countAll<string>().as('total'))
  const [rows, { total }] = await Promise.all([page.execute(), counted.executeTakeFirstOrThrow()])
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem: toRecord,
    cursorAfter: (row) => row.id,
  })
}

/** Nothing is ever taken out, and sealed ones have numbers without a gap: only the rest is counted. */
const ALL = sql<string>`(
  SELECT seq + (SELECT count(*) FROM audit_log WHERE seq IS NULL) FROM audit_head)`

/** The actor in every spelling to look for. */
type Spelled = AuditListQuery & { actors?: string[] | '' | undefined }

function conditionsOf(query: Spelled): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  // What a case holds is in its entries, too.
  if (!seesAll()) conditions.push(namesNoHidden('target', 'before', 'after', 'detail'))
  if (query.actors) conditions.push(sql`actor = ANY(${query.actors})`)
  for (const field of ['action', 'target', 'outcome'] as const) {
    const value = query[field]
    if (value !== undefined) conditions.push(sql`${sql.ref(field)} = ${value}`)
  }
  if (query.from) conditions.push(sql`at >= ${query.from}`)
  if (query.to) conditions.push(sql`at < ${query.to}`)
  if (query.q !== undefined) {
    const word = `%${query.q.replaceAll(/[\\%_]/g, '\\$&')}%`
    conditions.push(sql`concat_ws(' ', actor, action, target, detail) ILIKE ${word}`)
  }
  return conditions
}

function idOf(cursor: string): string {
  if (!/^\d{1,18}$/.test(cursor)) throw invalid('cursor', 'is not one that this list gave out')
  return cursor
}

export function toRecord(row: AuditRow): AuditRecord {
  return {
    ...row,
    at: row.at.toISOString(),
    outcome: AuditOutcome.parse(row.outcome),
    seq: row.seq === null ? null : Number(row.seq),
    erased_at: row.erased_at?.toISOString() ?? null,
  }
}
