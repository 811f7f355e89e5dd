/** Whoever is told to end ends what it started first: services would go on without it. */
export function endOnSignal(started: AsyncDisposable): void {
  let isEnding = false
  async function end() {
    // A terminal and npm both deliver one Ctrl-C.
    if (isEnding) return
    isEnding = true
    await started[Symbol.asyncDispose]()
    process.exit(1)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}
