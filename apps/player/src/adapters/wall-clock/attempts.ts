export type ClockLog = Record<'info' | 'warn', (facts: object, message: string) => void>

/** What the clock goes on without. */
export const createAttempts = (log: ClockLog) => ({
  async succeeds(attempt: Promise<void>): Promise<boolean> {
    try {
      await attempt
      return true
    } catch (error) {
      log.info({ reason: (error as Error).message }, 'a clock could not be set')
      return false
    }
  },

  /** Where nobody waits for an answer: a full disk must not stop the clock. */
  ifPossible(what: string, keep: () => void) {
    try {
      keep()
    } catch (error) {
      log.warn({ err: error }, `${what} could not be kept`)
    }
  },
})
