/**
 * Where a quantity that only rises or only falls between `from` and `to` passes zero, to the
 * millisecond, or null when it does not. False position with the Illinois correction: it cannot leave
 * the bracket, so it also settles where the sun barely grazes an angle.
 */
export function crossing(
  valueAt: (epochMs: number) => number,
  from: number,
  to: number,
): number | null {
  let [a, b] = [from, to]
  let [valueA, valueB] = [valueAt(a), valueAt(b)]
  if (valueA * valueB > 0) return null
  for (let step = 0; step < 60 && valueB !== 0; step++) {
    const moment = b - (valueB * (b - a)) / (valueB - valueA)
    const value = valueAt(moment)
    if (value * valueB < 0) [a, valueA] = [b, valueB]
    else valueA /= 2
    const moved = Math.abs(moment - b)
    ;[b, valueB] = [moment, value]
    if (moved < 0.5) break
  }
  return b
}
