import { Declined, Refused, Unreachable } from './api.ts'

type Reasons = { unreachable: string; tooMany: string; gone: string; box: string }

type AttemptDeps = {
  reasons(): Reasons
  problem(text: string): void
}

/** In the words of the person, as far as we have them; else in those of the box. */
function explain(error: unknown, reasons: Reasons): string {
  if (error instanceof Unreachable) return reasons.unreachable
  if (!(error instanceof Refused)) return String(error)
  if (error.status === 429) return reasons.tooMany
  if (error.status === 404) return reasons.gone
  return error.status >= 500 ? reasons.box : error.message
}

/** Does it, and says why when it did not work. Resolves with whether it did. */
export const createAttempt =
  ({ reasons, problem }: AttemptDeps) =>
  async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof Declined)) problem(explain(error, reasons()))
      return false
    }
  }
export type Attempt = ReturnType<typeof createAttempt>
