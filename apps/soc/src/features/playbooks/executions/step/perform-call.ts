import { timeLimit } from '@manara/kit/after-steps'
import type { Action, JsonObject, Run } from '../../actions/action.ts'
import { type BreakOff, type Failure, failureOf } from '../failure.ts'
import type { FilledCall } from './fill-call.ts'

const LAST_WORD_MS = 100

export type Outcome =
  | { output: JsonObject }
  | { failure: Failure }
  | { brokenOff: 'stopped' | 'lost' }

/** One attempt of an action that runs outside of any transaction, at most for `limitMs`. */
export async function performCall(
  action: Extract<Action, { effect: 'acts' | 'reads' }>,
  { params, redact }: FilledCall,
  run: Run,
  limitMs: number,
): Promise<Outcome> {
  using limit = timeLimit(limitMs, 'time limit')
  const signal = AbortSignal.any([run.signal, limit.signal])
  try {
    const output = await Promise.race([action.run(params, { ...run, signal }), broken(signal)])
    return { output: redact(output) }
  } catch (error) {
    const brokenOff = signal.aborted ? (signal.reason as BreakOff) : undefined
    if (brokenOff === 'stopped' || brokenOff === 'lost') return { brokenOff }
    return { failure: redact(failureOf(error, action.effect === 'acts', brokenOff)) }
  }
}

/**
 * An action that listens says itself what it has come to: a webhook may have answered already, and
 * only never ended. One that does not listen is not waited for.
 */
function broken(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => setTimeout(() => reject(signal.reason), LAST_WORD_MS)
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', end, { once: true })
  })
}
