const FIRST_MS = 1_000
const LONGEST_MS = 60_000

/** Before the attempt after the `attempts`-th: each wait twice the one before, at most a minute. */
export const backoffMs = (attempts: number) => Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS)
