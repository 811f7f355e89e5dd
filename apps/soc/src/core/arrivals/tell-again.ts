/** Beyond so many names all are told anew. */
const MOST_NAMES = 50_000

/**
 * Whether a name is news: the first time, and again after a while, since what was told may have been
 * lost on the way.
 */
export function createTellAgain(everyMs: number, now: () => number = Date.now) {
  const toldAt = new Map<string, number>()
  return (name: string, moment = now()): boolean => {
    const told = toldAt.get(name)
    // Either way: a clock that was set back must not silence a name until it is as late again.
    if (told !== undefined && Math.abs(moment - told) < everyMs) return false
    if (toldAt.size >= MOST_NAMES) toldAt.clear()
    toldAt.set(name, moment)
    return true
  }
}
