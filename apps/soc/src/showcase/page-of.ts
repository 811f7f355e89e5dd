import { invalid } from '@manara/kit/errors'
import type { ListOf } from '@manara/soc-contract/lists'

/** A page of records that never change, so that a cursor may be a plain position. */
export function pageOf<Item>(
  items: Item[],
  query: { skip: number; limit: number; cursor?: string | undefined },
): ListOf<Item> {
  const { skip, limit, cursor } = query
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
    throw invalid('cursor', 'is not one that this list gave out')
  }
  const start = cursor === undefined ? skip : Number(cursor)
  const end = start + limit
  const hasMore = end < items.length
  return {
    items: items.slice(start, end),
    total: items.length,
    skip,
    limit,
    has_more: hasMore,
    next_cursor: hasMore ? String(end) : null,
  }
}
