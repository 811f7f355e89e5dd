/** The running sum of what speaks against a verse beginning after each pause. */
export function pauseCosts(
  spans: readonly (readonly [start: number, end: number])[],
  starts: readonly number[],
): Float64Array {
  const lengths = spans.map(([from], index) =>
    Math.log(Math.max(50, index > 0 ? from - (spans[index - 1]?.[1] ?? 0) : 50)),
  )
  const isStart = new Set(starts)
  const between = lengths.filter((_, index) => index > 0 && isStart.has(index))
  const inside = lengths.filter((_, index) => index > 0 && !isStart.has(index))
  const running = new Float64Array(spans.length + 1)
  const [meanBetween, sdBetween] = spreadOf(between)
  const [meanInside, sdInside] = spreadOf(inside)
  for (const [index, length] of lengths.entries()) {
    const ratio =
      Math.log(sdInside / sdBetween) -
      (length - meanBetween) ** 2 / (2 * sdBetween ** 2) +
      (length - meanInside) ** 2 / (2 * sdInside ** 2)
    const capped = index > 0 ? Math.max(-2, Math.min(2, ratio)) : 0
    running[index + 1] = (running[index] ?? 0) + capped
  }
  return running
}

function spreadOf(values: readonly number[]): [mean: number, sd: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return [mean, Math.max(0.2, Math.sqrt(variance))]
}
