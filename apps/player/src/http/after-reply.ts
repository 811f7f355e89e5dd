import type { Clock } from '../ports/clock.ts'

const REPLY_MS = 500

/** For what ends the connection that asked for it: the reply has to be out before. */
export const afterReply = (clock: Pick<Clock, 'after'>, then: () => void) =>
  clock.after(REPLY_MS, then)
