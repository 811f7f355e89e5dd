import { invalid } from '@manara/kit/errors'
import { type AuditListQuery, AuditOutcome, type AuditRecord } from '@manara/soc-contract/audit'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { namesNoHidden, seesAll } from '../../core/access/reader.ts'
import type { AuditRow } from '../../core/audit/chain.ts'
import { spellingsOf } from '../../core/identity/is-named.ts'
import { foundPage, MOST_SORTED } from '../../db/found-page.ts'
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
  const isAll = conditions.length === 0
  const chosen = isAll ? sql<boolean>`true` : sql.join<boolean>(conditions, sql` AND `)
  const page = { chosen, behind: behind(order, cursor), order, skip, limit: limit + 1 }
  const { rows, total } =
    (query.q !== undefined && (await searched(db, page))) || (await read(db, page, isAll))
  return pageOf(query, { rows, total, toItem: toRecord, cursorAfter: (row) => row.id })
}

type Page = {
  chosen: RawBuilder<boolean>
  behind: RawBuilder<boolean>
  order: 'asc' | 'desc'
  skip: number
  limit: number
}

/** Nothing where a text is in so many that their list is walked faster. */
async function searched(db: Kysely<Tables>, { order, ...page }: Page) {
  const { rows, matches } = await foundPage<AuditRow>(db, {
    ...{ table: 'audit_log', columns: sql`*`, ...page },
    sort: { name: 'id', order, columns: { id: 'number' } },
  })
  return matches > MOST_SORTED ? undefined : { rows, total: matches }
}

async function read(
  db: Kysely<Tables>,
  { chosen, behind, order, skip, limit }: Page,
  isAll: boolean,
) {
  const matching = db.selectFrom('audit_log').where(chosen)
  const counted = isAll
    ? db.selectNoFrom(ALL.as('total'))
    : matching.select((count) => count.fn.countAll<string>().as('total'))
  const [rows, { total }] = await Promise.all([
    matching.selectAll().where(behind).orderBy('id', order).offset(skip).limit(limit).execute(),
    counted.executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

const behind = (order: 'asc' | 'desc', cursor: string | undefined) =>
  cursor === undefined
    ? sql<boolean>`true`
    : sql<boolean>`id ${sql.raw(order === 'asc' ? '>' : '<')} ${idOf(cursor)}`

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
    conditions.push(sql`strpos(lower(concat_ws(' ', actor, action, target, detail)),
      lower(${query.q})) > 0`)
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
