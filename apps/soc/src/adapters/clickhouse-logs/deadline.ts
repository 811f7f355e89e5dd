import type { Incomplete, Limits } from '../../ports/log-store.ts'

type Deadline = ReturnType<typeof deadlineOf>

/** As `Limits`, of a piece of the work; no deadline is all the time it takes. */
export type Within = { signal?: AbortSignal | undefined; deadline?: Deadline }

/** A server gave no answer in the time that was left. */
export class NoAnswerInTime extends Error {
  override name = 'NoAnswerInTime'
}

export const within = (limits: Limits): Required<Within> => ({
  signal: limits.signal,
  deadline: deadlineOf(limits),
})

function deadlineOf({ timeLimitMs }: Limits) {
  const end = timeLimitMs === undefined ? Infinity : performance.now() + timeLimitMs
  const stopped = `stopped after ${(timeLimitMs ?? 0) / 1_000} s`
  const instead = 'ask for less time, or for more selective words'
  const partial = { reason: 'time_limit' as const, detail: `${stopped}: ${instead}` }
  return {
    isOver: () => performance.now() >= end,
    /** Nothing where there is no limit. */
    leftMs: () =>
      timeLimitMs === undefined ? undefined : Math.max(1, Math.ceil(end - performance.now())),
    partial,
    /** What an answer lacks since there was none in time; other failures go on. */
    missedBy(error: unknown): NonNullable<Incomplete> {
      if (!(error instanceof NoAnswerInTime)) throw error
      return {
        ...partial,
        detail: `${stopped}, when ${error.message}: ${instead}, or look after that server`,
      }
    },
  }
}
