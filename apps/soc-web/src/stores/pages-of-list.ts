export type PageOf<Item> = { items: Item[]; next_cursor: string | null }

/**
 * The pages as they are now, down to the row that was last in sight: as many as before, and one more
 * where new rows have pushed that row further down.
 */
export async function allPages<Item>(
  first: PageOf<Item>,
  before: readonly PageOf<Item>[],
  load: (cursor: string) => Promise<PageOf<Item>>,
  keyOf: (item: Item) => string,
): Promise<PageOf<Item>[]> {
  const last = before.at(-1)?.items.at(-1)
  const placeOfLast = ({ items }: PageOf<Item>) =>
    last === undefined ? -1 : items.findIndex((item) => keyOf(item) === keyOf(last))
  const pages = [first]
  for (let page = first; ; ) {
    const place = placeOfLast(page)
    const ahead = pages.at(-2)
    if (place >= 0 && place < page.items.length - 1 && ahead) {
      // The rest of it comes when more are asked for: else the list would grow with each new row.
      pages[pages.length - 1] = {
        items: page.items.slice(0, place + 1),
        next_cursor: ahead.next_cursor,
      }
    }
    if (place >= 0 || pages.length > before.length || page.next_cursor === null) return pages
    page = await load(page.next_cursor)
    pages.push(page)
  }
}

/** The first of those with the same key. */
export function eachOnce<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const first = new Map<string, Item>()
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item)
  return [...first.values()]
}
