type Failed = { status: string; attempts: number }

/** Before it began nothing was done: it is tried a few times more, whatever the step says. */
const BEFORE_IT_BEGAN = 3

/**
 * A step that failed: how often it has been tried, and whether it may be once more. One that fails
 * before it begins has not been counted yet; uncounted it would be tried for ever.
 */
export function countTry(
  { status, attempts }: Failed,
  { retries, isRepeatable }: { retries: number; isRepeatable: boolean },
): { attempts: number; isTriedAgain: boolean } {
  const isBegun = status !== 'pending'
  const tried = isBegun ? attempts : attempts + 1
  const most = isBegun ? retries : Math.max(retries, BEFORE_IT_BEGAN)
  return { attempts: tried, isTriedAgain: isRepeatable && tried <= most }
}
