import { invalid } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'
import { pageOf } from './page.ts'

type Asked = { skip: number; limit: number; cursor?: string | undefined }

/** A page of what has no time and number to go on from: its cursor counts by the order. */
export async function countedPage<Item>(
  query: Asked,
  found: {
    rows(offset: number, limit: number): Promise<Item[]>
    total(): Promise<number>
  },
): Promise<ListOf<Item>> {
  const at = positionOf(query)
  const [rows, total] = await Promise.all([found.rows(at, query.limit + 1), found.total()])
  return pageOf(query, {
    rows,
    total,
    toItem: (row) => row,
    cursorAfter: () => String(at + query.limit),
  })
}

function positionOf({ cursor, skip }: Asked): number {
  if (cursor === undefined) return skip
  if (!/^\d{1,9}$/.test(cursor)) throw invalid('cursor', 'is not one that this list gave out')
  return Number(cursor)
}
