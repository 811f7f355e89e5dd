import { Refused, Unreachable } from './api.ts'

type After = (ms: number, then: () => void) => () => void

const FIRST_MS = 1_000
const LONGEST_MS = 8_000

/**
 * Asks until the box has answered: on a bad line one answer that is lost must not leave a page
 * without what it shows. What it returns calls it off.
 */
export const createKeepAsking =
  (after: After) =>
  (ask: () => Promise<unknown>, onRefused: () => void = () => {}): (() => void) => {
    let isOver = false
    let cancel = () => {}
    const attempt = (pause: number) => {
      ask().catch((error) => {
        if (isOver) return
        if (isPassing(error)) {
          cancel = after(pause, () => attempt(Math.min(2 * pause, LONGEST_MS)))
        } else onRefused()
      })
    }
    attempt(FIRST_MS)
    return () => {
      isOver = true
      cancel()
    }
  }

const isPassing = (error: unknown) =>
  error instanceof Unreachable ||
  (error instanceof Refused && (error.status === 429 || error.status >= 500))
