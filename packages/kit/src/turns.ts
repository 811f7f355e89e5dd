const waiting: (() => void)[] = []
let isScheduled = false

/**
 * Resolves in a turn of the event loop that nobody else got from here: however much long work there
 * is at once, requests are served between any two pieces of it.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}

function schedule() {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  })
}

const SLICE_MS = 4

/** Long loops hand the event loop back in between: call before each step and await what it gives. */
export function startTurns(now: () => number = () => performance.now()) {
  let endsAt = Number.NEGATIVE_INFINITY
  return (): Promise<void> | undefined => {
    if (now() < endsAt) return undefined
    return nextTurn().then(() => {
      endsAt = now() + SLICE_MS
    })
  }
}

/** As `map` does, for so many or so large ones that others would be held up by it. */
export async function mapInTurns<From, To>(
  list: readonly From[],
  change: (one: From) => To,
  now: () => number = () => performance.now(),
): Promise<To[]> {
  const changed: To[] = []
  let endsAt = now() + SLICE_MS
  for (const one of list) {
    if (now() >= endsAt) {
      await nextTurn()
      endsAt = now() + SLICE_MS
    }
    changed.push(change(one))
  }
  return changed
}
