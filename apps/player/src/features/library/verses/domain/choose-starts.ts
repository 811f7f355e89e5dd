type Score = {
  spans: readonly (readonly [start: number, end: number])[]
  beats: readonly number[]
  /** Sound before each span, in milliseconds. */
  sound: readonly number[]
  /** The first span that each verse may begin with: where its chances begin. */
  low: readonly number[]
}

/**
 * Of all ways to place the verses in order, the one of which most starts can be expected to be right;
 * a verse may also begin inside a span, together with the one before.
 */
export function chooseStarts(
  grid: Score,
  chances: readonly Float64Array[],
): { starts: number[]; from: number[]; margins: number[] } {
  const { spans, low } = grid
  const picks: Int32Array[] = []
  let reached = new Float64Array(spans.length + 1)
  for (const [verse, row] of chances.entries()) {
    const from = low[verse] as number
    const inside = Math.max(0, 1 - row.reduce((sum, chance) => sum + chance, 0))
    const next = new Float64Array(spans.length + 1)
    const pick = new Int32Array(spans.length + 1)
    // `reached[s]`: the best sum over the verses so far when the last of them begins before span s.
    for (let span = 0; span <= spans.length; span++) {
      next[span] = (reached[span] as number) + (verse === 0 ? -1 : inside)
      pick[span] = -1
      if (span === 0) continue
      const begin = span - 1
      const taken = (reached[begin] as number) + (row[begin - from] ?? -1)
      if (taken > (next[span] as number)) {
        next[span] = taken
        pick[span] = begin
      }
      if ((next[begin] as number) > (next[span] as number)) {
        next[span] = next[begin] as number
        pick[span] = -2
      }
    }
    picks.push(pick)
    reached = next
  }

  const starts: number[] = Array(chances.length)
  let span = spans.length
  for (let verse = chances.length - 1; verse >= 0; verse--) {
    const pick = picks[verse] as Int32Array
    while (pick[span] === -2) span--
    starts[verse] = pick[span] as number
    if ((starts[verse] as number) >= 0) span = starts[verse] as number
  }
  const margins = starts.map((start, verse) => {
    const chance = start < 0 ? 0 : (chances[verse]?.[start - (low[verse] as number)] ?? 0)
    return start < 0 ? 0 : Math.log(Math.max(chance, 1e-9) / Math.max(1 - chance, 1e-9))
  })
  return {
    starts,
    margins,
    from: starts.map((start, verse) => placeOf(grid, starts, verse, start)),
  }
}

/** The start of its span; of verses in one breath, where it should begin by their expected lengths. */
function placeOf({ spans, beats, sound }: Score, starts: number[], verse: number, start: number) {
  if (start >= 0) return spans[start]?.[0] ?? 0
  let first = verse
  while (first > 0 && (starts[first] ?? 0) < 0) first--
  let next = verse + 1
  while (next < beats.length && (starts[next] ?? 0) < 0) next++
  const sumOf = (from: number, to: number) =>
    beats.slice(from, to).reduce((sum, beat) => sum + beat, 0)
  const begin = Math.max(0, starts[first] ?? 0)
  const end = starts[next] ?? spans.length
  const soundBefore = sound[begin] ?? 0
  const share = sumOf(first, verse) / sumOf(first, next)
  const wanted = soundBefore + ((sound[end] ?? 0) - soundBefore) * share
  let span = begin
  while (span + 1 < end && (sound[span + 1] ?? 0) < wanted) span++
  return Math.round((spans[span]?.[0] ?? 0) + wanted - (sound[span] ?? 0))
}
