/** A stretch of time, both ends included. */
export type Stretch = { first: number; last: number }

/**
 * Stretches in order, with this one joined to those that are nearer than `gapMs`: one event with a
 * date of long ago is a stretch of its own, not the beginning of one that spans everything.
 */
export function withStretch(stretches: Stretch[], added: Stretch, gapMs: number): Stretch[] {
  const isApart = ({ first, last }: Stretch) =>
    last < added.first - gapMs || first > added.last + gapMs
  const joined = stretches
    .filter((one) => !isApart(one))
    .reduce(
      (a, b) => ({ first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) }),
      added,
    )
  return [...stretches.filter(isApart), joined].toSorted((a, b) => a.first - b.first)
}

/** Those that lie near each other together, so that one scan reads them all. */
export function clustersOf<Part extends { from: number; to: number }>(
  parts: Part[],
  gapMs: number,
): Part[][] {
  const clusters: Part[][] = []
  let end = -Infinity
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    if (part.from > end + gapMs) clusters.push([part])
    else clusters.at(-1)?.push(part)
    end = Math.max(end, part.to)
  }
  return clusters
}
