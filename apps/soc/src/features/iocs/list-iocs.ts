import { invalid } from '@manara/kit/errors'
import type {
  Ioc,
  IocFilter,
  IocListQuery,
  Sighting,
  SightingListQuery,
} from '@manara/soc-contract/iocs'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { foundPage, MOST_SORTED } from '../../db/found-page.ts'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { normaliseIoc } from './domain/normalise.ts'
import { IOC_COLUMNS, type IocRow, toIoc } from './ioc-record.ts'

type Db = Kysely<Tables>

const SORTS: Record<IocListQuery['sort'], Sort['columns']> = {
  created_at: { created_at: 'time', id: 'id' },
  updated_at: { updated_at: 'time', id: 'id' },
  score: { score: 'number', created_at: 'time', id: 'id' },
  sightings: { sightings: 'number', created_at: 'time', id: 'id' },
}
const COUNT_UP_TO = 10_000

export async function listIocs(db: Db, query: IocListQuery): Promise<ListOf<Ioc>> {
  const { skip, limit, cursor, sort: name, order, ...filter } = query
  const sort: Sort = { name, order, columns: SORTS[name] }
  const page = {
    chosen: matching(filter),
    sort,
    behind: behind(sort, cursor),
    skip,
    limit: limit + 1,
  }
  const isSought = [filter.q, filter.tag, filter.source].some((given) => given !== undefined)
  const { rows, total } = (isSought && (await searched(db, page))) || (await read(db, filter, page))
  return pageOf(query, {
    rows,
    total,
    toItem: toIoc,
    cursorAfter: (row) => cursorAfter(sort, row),
  })
}

type Page = {
  chosen: RawBuilder<boolean>
  sort: Sort
  behind: RawBuilder<boolean>
  skip: number
  limit: number
}

const COLUMNS = sql.join(
  IOC_COLUMNS.map((column) => (typeof column === 'string' ? sql.ref(column) : column)),
)

/** Nothing where so many have it that their list is walked faster. */
async function searched(db: Db, page: Page) {
  const { rows, matches } = await foundPage<IocRow>(db, {
    table: 'iocs',
    columns: COLUMNS,
    ...page,
  })
  return matches > MOST_SORTED ? undefined : { rows, total: Math.min(COUNT_UP_TO, matches) }
}

async function read(db: Db, filter: IocFilter, { chosen, sort, behind, skip, limit }: Page) {
  const [rows, total] = await Promise.all([
    db
      .selectFrom('iocs')
      .select(IOC_COLUMNS)
      .where(chosen)
      .where(behind)
      .orderBy(ordered(sort))
      .offset(skip)
      .limit(limit)
      .execute(),
    countIocs(db, filter, chosen),
  ])
  return { rows, total }
}

/** All of them are counted from an index; what a filter leaves, up to 10,000. */
async function countIocs(db: Db, filter: IocFilter, chosen: RawBuilder<boolean>) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const counted = isFiltered
    ? sql`(SELECT FROM iocs WHERE ${chosen} LIMIT ${COUNT_UP_TO}) AS counted`
    : sql`iocs`
  const { rows } = await sql<{ total: string }>`SELECT count(*) AS total FROM ${counted}`.execute(
    db,
  )
  return Number(rows[0]?.total)
}

export function matching(filter: IocFilter): RawBuilder<boolean> {
  return sql.join<boolean>([sql`true`, ...conditionsOf(filter)], sql` AND `)
}

function* conditionsOf(filter: IocFilter): Iterable<RawBuilder<boolean>> {
  const { type, source, tag, tlp, revoked, min_score, sighted, q } = filter
  if (filter.value !== undefined) {
    const indicator = normaliseIoc(filter.value, type)
    if (typeof indicator === 'string') throw invalid('value', indicator)
    // Bare digits may be either.
    const types = !type && indicator.type === 'md5' ? ['md5', 'imphash'] : [indicator.type]
    yield sql`type = ANY(${types}::text[]) AND value = ${indicator.value}`
  } else if (type !== undefined) yield sql`type = ${type}`
  if (source !== undefined) yield sql`sources @> ARRAY[${source}]`
  if (tag !== undefined) yield sql`tags @> ARRAY[${tag}]`
  if (tlp !== undefined) yield sql`tlp = ${tlp}`
  if (revoked !== undefined) yield sql`revoked = ${revoked}`
  if (min_score !== undefined) yield sql`ioc_score(iocs) >= ${min_score}`
  if (sighted !== undefined) yield sighted ? sql`sightings > 0` : sql`sightings = 0`
  if (filter.from) yield sql`created_at >= ${filter.from}`
  if (filter.to) yield sql`created_at < ${filter.to}`
  if (filter.updated_since) yield sql`updated_at >= ${filter.updated_since}`
  if (q !== undefined) {
    yield sql`position(lower(${q}) IN lower(concat_ws(' ', value, description,
      array_to_string(sources, ' '), array_to_string(tags, ' ')))) > 0`
  }
}

export async function listSightings(
  db: Db,
  iocId: string,
  query: SightingListQuery,
): Promise<ListOf<Sighting>> {
  // The ids of logs are of whatever shape their sender chose, so the cursor counts by their order.
  const at = cursorOf(query)
  const rows = await db
    .selectFrom('ioc_sightings')
    .selectAll()
    .where('ioc_id', '=', iocId)
    .orderBy('seen_at', query.order)
    .orderBy('log_id', query.order)
    .offset(at)
    .limit(query.limit + 1)
    .execute()
  const { total } = await db
    .selectFrom('ioc_sightings')
    .where('ioc_id', '=', iocId)
    .select(sql<string>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem: (row) => ({ ...row, seen_at: row.seen_at.toISOString() }),
    cursorAfter: () => String(at + query.limit),
  })
}

function cursorOf({ cursor, skip }: SightingListQuery): number {
  if (cursor === undefined) return skip
  if (!/^\d{1,9}$/.test(cursor)) throw invalid('cursor', 'is not one that this list gave out')
  return Number(cursor)
}
