const IN_A_ROW = 5
const LOOKED_AT = 20

/** Newest first: five failures in a row, or half of the last twenty. */
export function isFailing(newestFirst: { failed: boolean }[]): boolean {
  const failures = (count: number) =>
    newestFirst.slice(0, count).filter(({ failed }) => failed).length
  return failures(IN_A_ROW) === IN_A_ROW || failures(LOOKED_AT) >= LOOKED_AT / 2
}
