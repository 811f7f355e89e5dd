const WAITS_MS = [1_000, 10_000, 120_000]

/** How long after its nth failure a job is tried again; undefined when it is given up. */
export const waitAfterFailure = (attempt: number): number | undefined => WAITS_MS[attempt - 1]
