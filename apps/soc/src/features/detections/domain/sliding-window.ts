type Entry = { id: string; at: number; value: string }

export type SlidingWindow = {
  add(entry: Entry): void
  /** How many different values are inside. */
  distinct(): number
  newestIds(): string[]
}

const MOST_MEMBERS = 50

/** The entries of the last `spanMs` up to the newest one, which is added last. */
export function createSlidingWindow(spanMs: number): SlidingWindow {
  let entries: Entry[] = []
  let first = 0
  const counts = new Map<string, number>()

  function forget({ value }: Entry) {
    const left = (counts.get(value) ?? 0) - 1
    if (left > 0) counts.set(value, left)
    else counts.delete(value)
  }

  return {
    add(entry) {
      entries.push(entry)
      counts.set(entry.value, (counts.get(entry.value) ?? 0) + 1)
      for (let oldest = entries[first]; oldest && oldest.at <= entry.at - spanMs; ) {
        forget(oldest)
        first += 1
        oldest = entries[first]
      }
      // Shifting one by one would copy the list each time.
      if (first > 1_000 && first * 2 > entries.length) {
        entries = entries.slice(first)
        first = 0
      }
    },
    distinct: () => counts.size,
    newestIds: () =>
      entries.slice(Math.max(first, entries.length - MOST_MEMBERS)).map(({ id }) => id),
  }
}
