const STEP_MS = 100

/**
 * Runs when so much time has passed for this process too: on a machine that had none for it a step
 * that comes late counts as one, and what has arrived meanwhile is read before the next. So whoever
 * waits for an answer does not take one that lies there unread for none. Answers how to stop it.
 */
export function afterSteps(ms: number, run: () => void): () => void {
  let left_ms = ms
  let timer: NodeJS.Timeout
  function step() {
    const step_ms = Math.min(STEP_MS, left_ms)
    left_ms -= step_ms
    timer = setTimeout(left_ms > 0 ? step : run, step_ms)
  }
  step()
  return () => clearTimeout(timer)
}

/** Aborts its signal after so much time of this process; whoever is done with it lets go by `using`. */
export function timeLimit(ms: number, reason?: unknown): { signal: AbortSignal } & Disposable {
  const over = new AbortController()
  const stop = afterSteps(ms, () => over.abort(reason))
  return { signal: over.signal, [Symbol.dispose]: stop }
}
