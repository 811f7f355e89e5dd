import { setImmediate as nextTurn } from 'node:timers/promises'

const TURN_MS = 4

/** Long loops hand the event loop back in between: call before each step and await what it gives. */
export function startTurns(now: () => number = () => performance.now()) {
  let endsAt = now() + TURN_MS
  return (): Promise<void> | undefined => {
    if (now() < endsAt) return undefined
    return nextTurn().then(() => {
      endsAt = now() + TURN_MS
    })
  }
}
