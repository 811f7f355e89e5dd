import type { ListOf } from '@manara/soc-contract/lists'
import { type SelectQueryBuilder, sql } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from './keyset.ts'
import type { Tables } from './tables.ts'

type Asked = { skip: number; limit: number; cursor?: string | undefined }

/** The page asked for of `listed`, which has conditions and columns, with a count of all of it. */
export async function readPage<Table extends keyof Tables, Row extends object, Item>(
  asked: Asked,
  sort: Sort,
  listed: SelectQueryBuilder<Tables, Table, Row>,
  toItem: (row: Row) => Item,
): Promise<ListOf<Item>> {
  const [rows, { total }] = await Promise.all([
    listed
      .where(behind(sort, asked.cursor))
      .orderBy(ordered(sort))
      .offset(asked.skip)
      .limit(asked.limit + 1)
      .execute(),
    listed.clearSelect().select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return pageOf(asked, {
    rows: rows as Row[],
    total: Number(total),
    toItem,
    cursorAfter: (row) => cursorAfter(sort, row),
  })
}

/** `rows` were read with a limit of one more than asked: that one tells whether there are more. */
export function pageOf<Row, Item>(
  { skip, limit }: { skip: number; limit: number },
  found: {
    rows: Row[]
    total: number
    toItem: (row: Row) => Item
    /** Where the page after this row begins. */
    cursorAfter: (row: Row) => string
  },
): ListOf<Item> {
  const shown = found.rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = found.rows.length > limit
  return {
    items: shown.map(found.toItem),
    total: found.total,
    skip,
    limit,
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? found.cursorAfter(last) : null,
  }
}
