/** Half open, in milliseconds since 1970. */
export type Stretch = { from: number; to: number }

/** What of a stretch no other one holds. */
export function uncovered(stretch: Stretch, others: Stretch[]): Stretch[] {
  const left: Stretch[] = []
  let { from } = stretch
  for (const other of others.toSorted((a, b) => a.from - b.from)) {
    if (other.to <= from) continue
    if (other.from >= stretch.to) break
    if (other.from > from) left.push({ from, to: other.from })
    from = Math.max(from, other.to)
  }
  return from < stretch.to ? [...left, { from, to: stretch.to }] : left
}
