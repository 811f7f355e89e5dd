import type { FileHandle } from 'node:fs/promises'
import { AppError, unavailable } from '@manara/kit/errors'
import { SILENT } from '../ports/card.ts'

export type Patience = ReturnType<typeof createPatience>

type AskOptions<Value> = { patience_ms?: number; tooLate?(value: Value): unknown }

/** Whether it, or what it came of, is that a card does not answer. */
export const isSilence = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof Error && isSilence(error.cause))

/** Node closes a file after the last call to it has come back: nobody waits for that. */
export function letGo(file: FileHandle): void {
  void file.close().catch(() => {})
}

/** A disk that has to spin up, and a card that reads a bad place again and again, take less. */
const LIMIT_MS = 15_000

/**
 * For calls to a card that has died: the kernel may keep them for ever, and with each a thread of the
 * few that all file calls of the process share. So only some are under way at once, each caller waits
 * for so long and no longer, and while none of them comes back others are refused at once.
 */
export function createPatience(atOnce: number, limit_ms = LIMIT_MS) {
  /** Of the card that is in; and of the one before, what has never come back. */
  let calls = { underWay: 0, overdue: 0 }
  let before = { ...calls }
  const line: PromiseWithResolvers<void>[] = []
  const listeners = new Set<() => void>()

  const isSilent = () => calls.overdue === atOnce
  const silence = () => unavailable(SILENT)

  async function turn() {
    if (isSilent()) throw silence()
    if (calls.underWay < atOnce) {
      calls.underWay += 1
      return
    }
    const mine = Promise.withResolvers<void>()
    line.push(mine)
    await mine.promise
  }

  /** Whoever waits takes over the place of the call that has come back. */
  function giveTurn(mine: typeof calls) {
    const next = mine === calls ? line.shift() : undefined
    if (next) next.resolve()
    else mine.underWay -= 1
  }

  function countOverdue(mine: typeof calls, change: 1 | -1) {
    const was = isSilent()
    mine.overdue += change
    if (isSilent()) for (const waiting of line.splice(0)) waiting.reject(silence())
    if (isSilent() !== was) for (const listener of listeners) listener()
  }

  return {
    isSilent,
    /** Calls back when `isSilent` is another; the result ends that. */
    onChange(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Another card is in. Only one that has died is left behind like this, or no thread would be left. */
    startAnew() {
      if (!isSilent() || before.overdue > 0) return
      before = calls
      calls = { underWay: 0, overdue: 0 }
      for (const listener of listeners) listener()
    },

    /** `tooLate` gets what came when nobody waited for it any more. */
    async ask<Value>(
      call: () => Promise<Value>,
      { patience_ms = limit_ms, tooLate = () => {} }: AskOptions<Value> = {},
    ): Promise<Value> {
      await turn()
      const mine = calls
      const { promise: late, reject } = Promise.withResolvers<never>()
      let isOverdue = false
      const timer = setTimeout(() => {
        isOverdue = true
        reject(silence())
        countOverdue(mine, 1)
      }, patience_ms)
      const called = Promise.resolve().then(call)
      const answer = called.finally(() => {
        clearTimeout(timer)
        if (isOverdue) countOverdue(mine, -1)
        giveTurn(mine)
      })
      answer.then((value) => isOverdue && tooLate(value)).catch(() => {})
      return Promise.race([answer, late])
    },
  }
}
