/** One thing at a time, in the order it was asked for; a failure is its caller's and stops nobody else. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()

  function run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const done = last.then(work)
    last = done.catch(() => {})
    // A promise of the caller's own, so that a failure nobody waits for is not taken for seen.
    return done.then((result) => result)
  }

  return {
    run,
    /** Resolves when everything that was asked for until now is done. */
    idle: () => run(() => {}),
  }
}
