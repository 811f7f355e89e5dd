/** One thing at a time, in the order it was asked for; a failure is its own and stops nobody else. */
export function createTurns(onError: (error: unknown) => void) {
  let queue: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work)
    queue = turn.catch(() => {})
    return turn
  }

  return {
    inTurn,
    /** For what nobody waits for. */
    byItself(work: () => Promise<void>) {
      inTurn(work).catch(onError)
    },
  }
}
