const TICK_MS = 20

/** Calls `tick` often, for as long as it says that there is something to do. */
export function createTicks(tick: () => boolean) {
  const waiting = new Map<() => boolean, () => void>()
  let timer: NodeJS.Timeout | undefined

  function settle() {
    for (const [fact, resolve] of waiting) {
      if (!fact()) continue
      waiting.delete(fact)
      resolve()
    }
  }

  function turn() {
    const isBusy = tick()
    settle()
    if (isBusy || waiting.size > 0) timer ??= setInterval(turn, TICK_MS)
    else stop()
  }

  function stop() {
    clearInterval(timer)
    timer = undefined
  }

  return {
    start: turn,
    stop,
    /** Resolves when it is true, looked at after every tick. */
    until(fact: () => boolean): Promise<void> {
      if (fact()) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(fact, resolve)
      timer ??= setInterval(turn, TICK_MS)
      return promise
    },
  }
}
