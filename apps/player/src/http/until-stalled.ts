import type { Clock } from '../ports/clock.ts'

export type Patience = {
  silenceMs: number
  /** Fewer than these within that time are as good as silence; one, unless told. */
  leastBytes?: number
  totalMs?: number
  /** Why a sender is let go of whom nothing has come for so many seconds. */
  silent(seconds: number): Error
}

/** The same pieces; a sender that falls silent, or drips without end, ends them with an error. */
export async function* untilStalled(
  source: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'after' | 'monotonic'>,
  { silenceMs, leastBytes = 1, totalMs = Number.POSITIVE_INFINITY, silent }: Patience,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  const begun = clock.monotonic()
  let patience = silenceMs
  let arrived = 0
  try {
    for (;;) {
      const { promise, reject } = Promise.withResolvers<never>()
      const asked = clock.monotonic()
      const cancel = clock.after(patience, () => reject(silent(silenceMs / 1000)))
      const { value, done } = await Promise.race([chunks.next(), promise]).finally(cancel)
      if (done) return
      if (clock.monotonic() - begun > totalMs) throw new Error('took too long to arrive')
      arrived += value.length
      const isEnough = arrived >= leastBytes
      patience = isEnough ? silenceMs : patience - (clock.monotonic() - asked)
      if (isEnough) arrived = 0
      yield value
    }
  } finally {
    // Not awaited: a sender that says nothing would not answer this either.
    void chunks.return?.()?.catch(() => {})
  }
}
