import type { Clock } from '../../ports/clock.ts'

/** The same pieces; a sender that falls silent, or drips without end, ends them with an error. */
export async function* untilStalled(
  source: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'after' | 'monotonic'>,
  limit: { silenceMs: number; totalMs: number },
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  const begun = clock.monotonic()
  try {
    for (;;) {
      const { promise, reject } = Promise.withResolvers<never>()
      const cancel = clock.after(limit.silenceMs, () =>
        reject(new Error(`was cut off: nothing came for ${limit.silenceMs / 1000} s`)),
      )
      const { value, done } = await Promise.race([chunks.next(), promise]).finally(cancel)
      if (done) return
      if (clock.monotonic() - begun > limit.totalMs) throw new Error('took too long to arrive')
      yield value
    }
  } finally {
    // Not awaited: a sender that says nothing would not answer this either.
    void chunks.return?.()?.catch(() => {})
  }
}
