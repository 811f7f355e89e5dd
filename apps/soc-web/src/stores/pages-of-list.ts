/** The rows at the end of a page that new ones have pushed off it. */
export function fallenOff<Item>(
  before: readonly Item[],
  now: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const kept = new Set(now.map(keyOf))
  // One that is missing further up was removed.
  return before.slice(before.findLastIndex((item) => kept.has(keyOf(item))) + 1)
}

/** The first of those with the same key. */
export function eachOnce<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const first = new Map<string, Item>()
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item)
  return [...first.values()]
}
