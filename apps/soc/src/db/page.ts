import type { ListOf } from '@manara/soc-contract/lists'

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
