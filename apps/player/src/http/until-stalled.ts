import type { Clock } from '../ports/clock.ts'

export type Patience = {
  silenceMs: number
  totalMs?: number
  /** Why a sender is let go of whom nothing has come for so many seconds. */
  silent(seconds: number): Error
}

/** The same pieces; a sender that falls silent, or drips without end, ends them with an error. */
export async function* untilStalled(
  source: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'after' | 'monotonic'>,
  { silenceMs, totalMs = Number.POSITIVE_INFINITY, silent }: Patience,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  const begun = clock.monotonic()
  try {
    for (;;) {
      const { promise, reject } = Promise.withResolvers<never>()
      const cancel = clock.after(silenceMs, () => reject(silent(silenceMs / 1000)))
      const { value, done } = await Promise.race([chunks.next(), promise]).finally(cancel)
      if (done) return
      if (clock.monotonic() - begun > totalMs) throw new Error('took too long to arrive')
      yield value
    }
  } finally {
    // Not awaited: a sender that says nothing would not answer this either.
    void chunks.return?.()?.catch(() => {})
  }
}
