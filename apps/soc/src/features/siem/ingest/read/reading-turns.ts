/** One is read, and what comes next lies in the thread already. */
const AT_ONCE = 2
/** A request that needs no more parts than this waits for those only that came before it. */
const FEW_PARTS = 8
/** After so many turns of short requests a long one has its turn: it is late, but it ends. */
const MOST_PASSED = 4

type Waiting = { id: number; isLong: boolean; begin(): void }

/**
 * Whose next part a thread reads. Short requests are read one after the other: in a circle all of
 * them would be answered as late as the last one. Long ones go in a circle, behind the short ones.
 */
export function createReadingTurns() {
  const waiting: Waiting[] = []
  let running = 0
  /** How many short ones began while a long one waited. */
  let passed = 0

  function next(): Waiting | undefined {
    const long = waiting.find(({ isLong }) => isLong)
    if (long && passed >= MOST_PASSED) return long
    const short = waiting.filter(({ isLong }) => !isLong)
    if (short.length === 0) return long
    return short.reduce((first, one) => (one.id < first.id ? one : first))
  }

  function letBegin() {
    while (running < AT_ONCE) {
      const turn = next()
      if (!turn) return
      waiting.splice(waiting.indexOf(turn), 1)
      passed = !turn.isLong && waiting.some(({ isLong }) => isLong) ? passed + 1 : 0
      running += 1
      turn.begin()
    }
  }

  return {
    /** Requests have numbers in the order in which they came; `parts` of it were read before. */
    take(id: number, parts: number): Promise<void> {
      return new Promise((begin) => {
        waiting.push({ id, isLong: parts >= FEW_PARTS, begin })
        letBegin()
      })
    },
    /** Whose part it was asks for the next one in the same turn of the event loop, if it is not late. */
    giveBack() {
      running -= 1
      setImmediate(letBegin)
    },
  }
}
