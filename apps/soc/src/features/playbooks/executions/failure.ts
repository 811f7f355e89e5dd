import { AppError } from '@manara/kit/errors'

export type Failure = {
  status: 'failed' | 'timed_out' | 'cancelled'
  error: string
  /** May be tried again: it is known that nothing was done. */
  isRepeatable: boolean
}

/** Why a step was broken off. */
export type BreakOff = 'time limit' | 'cancelled' | 'stopped' | 'lost'

/** A bug: the log has its cause. */
export const INTERNAL = 'internal error'

const UNKNOWN = 'the outcome is unknown: it may have been done, and is not done again'

export const outcomeUnknown = (why: string): Failure => ({
  status: 'failed',
  error: `${why}: ${UNKNOWN}`,
  isRepeatable: false,
})

/** What a step is told to have failed with; `acts` is for one that reaches outside. */
export function failureOf(thrown: unknown, acts: boolean, brokenOff?: BreakOff): Failure {
  const doubt = acts ? `: ${UNKNOWN}` : ''
  if (brokenOff === 'time limit') {
    const error = `no answer within the time limit${doubt}`
    return { status: 'timed_out', error, isRepeatable: !acts }
  }
  if (brokenOff) {
    return { status: 'cancelled', error: `cancelled while it ran${doubt}`, isRepeatable: false }
  }
  if (thrown instanceof AppError) {
    const { status, message } = thrown
    if (status === 504) return { status: 'timed_out', error: message, isRepeatable: false }
    return { status: 'failed', error: message, isRepeatable: status !== 400 && status !== 404 }
  }
  if (isStatementTimeout(thrown)) {
    return { status: 'timed_out', error: 'not done within the time limit', isRepeatable: true }
  }
  const message = acts ? `${(thrown as Error).message}${doubt}` : INTERNAL
  return { status: 'failed', error: message, isRepeatable: !acts }
}

const isStatementTimeout = (error: unknown) => (error as { code?: string }).code === '57014'
