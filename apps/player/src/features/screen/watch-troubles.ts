import type { Clock } from '../../ports/clock.ts'
import { type Facts, type Trouble, troublesOf } from './domain/facts.ts'

/** Knows since when each kind of trouble is there, and so which one is news. */
export function watchTroubles(clock: Pick<Clock, 'monotonic'>) {
  const known = new Map<Trouble['kind'], { message: string; since: number }>()

  function sinceWhen({ kind, message }: Omit<Trouble, 'age_ms'>): number {
    const before = known.get(kind)
    if (before?.message === message) return before.since
    known.set(kind, { message, since: clock.monotonic() })
    return clock.monotonic()
  }

  return {
    /** The newest; of two that came together, the graver. */
    newest(facts: Facts): Trouble | undefined {
      const troubles = troublesOf(facts)
      for (const kind of known.keys())
        if (!troubles.some((trouble) => trouble.kind === kind)) known.delete(kind)
      const [newest] = troubles
        .map((trouble) => ({ ...trouble, age_ms: clock.monotonic() - sinceWhen(trouble) }))
        .sort((a, b) => a.age_ms - b.age_ms)
      return newest
    },

    /** It has happened once more, also when it is the same again. */
    again: (kind: Trouble['kind']) => known.delete(kind),
  }
}
