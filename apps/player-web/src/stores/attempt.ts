import { Declined } from './api.ts'

type AttemptDeps = {
  /** In the words of the person. */
  why(error: unknown): string
  problem(text: string): void
}

/** Does it, and says why when it did not work. Resolves with whether it did. */
export const createAttempt =
  ({ why, problem }: AttemptDeps) =>
  async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof Declined)) problem(why(error))
      return false
    }
  }
export type Attempt = ReturnType<typeof createAttempt>
