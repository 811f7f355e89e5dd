/**
 * How much a statement reads: a list, what a filter has chosen, a slice of all there is, or all of it
 * at once where it cannot be cut.
 */
export type Weight = 0 | 1 | 2 | 3

/** Together with the writer they leave room in the thread pool for the rest of the process. */
export const CONNECTIONS = 4
/** Of them; the others are for light statements only, two of which then have half of the cores. */
const MOST_HEAVIER = 2
/** After so many lighter ones a heavy slice has its turn beside them: it is late, but it ends. */
const MOST_PASSED = 8
/** Two heavy slices run at once when so many began since the last lighter statement. */
const ALONE_FOR = 5

type Waiting = { weight: Weight; begin(): void; leave(why?: unknown): void }

/**
 * Who may run a statement now, on which of the connections. Two of them are for light statements only,
 * so that these never wait for others. A heavy one begins when no lighter one is there, since they
 * would share the cores, and a second beside it when none has come for a while. One that cannot be cut
 * takes seconds: slices have their turn beside it, and no other of its kind.
 */
export function createTurns<Connection>(connections: Connection[]) {
  const idle = [...connections]
  const waiting: Waiting[] = []
  const running: Record<Weight, number> = { 0: 0, 1: 0, 2: 0, 3: 0 }
  /** How many began while a heavy one waited. */
  let passed = 0
  /** How many heavy ones began since the last lighter one. */
  let sinceLighter = ALONE_FOR

  const isLate = () => passed >= MOST_PASSED
  const isHeavyWaiting = () => waiting.some(({ weight }) => weight >= 2)

  function mayBegin(weight: Weight): boolean {
    if (idle.length === 0) return false
    if (weight === 0) return true
    if (running[1] + running[2] + running[3] >= MOST_HEAVIER) return false
    if (weight === 1) return true
    const isAlone = running[0] + running[1] === 0 && waiting.every((turn) => turn.weight >= 2)
    if (weight === 3 && running[3] > 0) return false
    if (running[2] > 0) return isAlone && sinceLighter >= ALONE_FOR
    return isAlone || isLate()
  }

  function began(weight: Weight): Connection {
    running[weight] += 1
    if (weight >= 2) {
      passed = 0
      sinceLighter += 1
    } else {
      passed += isHeavyWaiting() ? 1 : 0
      sinceLighter = 0
    }
    return idle.pop() as Connection
  }

  /** The lightest that waits, of those who waited longest; before all others a heavy one that is late. */
  function next(): Waiting | undefined {
    const able = waiting.filter((turn) => mayBegin(turn.weight))
    const late = isLate() ? able.find(({ weight }) => weight >= 2) : undefined
    return (
      late ??
      able.reduce<Waiting | undefined>(
        (best, turn) => (best && placeOf(best) <= placeOf(turn) ? best : turn),
        undefined,
      )
    )
  }

  /** Among heavy ones who asked first comes first. */
  const placeOf = ({ weight }: Waiting) => Math.min(weight, 2)

  function letBegin() {
    for (let turn = next(); turn; turn = next()) {
      waiting.splice(waiting.indexOf(turn), 1)
      turn.begin()
    }
  }

  return {
    /** Whoever leaves while waiting costs nothing more. */
    take(weight: Weight, signal: AbortSignal | undefined): Promise<Connection> {
      return new Promise((resolve, reject) => {
        const onAbort = () => turn.leave(signal?.reason)
        const turn: Waiting = {
          weight,
          begin() {
            signal?.removeEventListener('abort', onAbort)
            resolve(began(weight))
          },
          leave(why) {
            signal?.removeEventListener('abort', onAbort)
            waiting.splice(waiting.indexOf(turn), 1)
            reject(why)
            letBegin()
          },
        }
        waiting.push(turn)
        signal?.addEventListener('abort', onAbort, { once: true })
        letBegin()
      })
    },
    giveBack(connection: Connection, weight: Weight) {
      idle.push(connection)
      running[weight] -= 1
      letBegin()
    },
    /** Nobody waits any longer. */
    end(why: unknown) {
      for (const turn of [...waiting]) turn.leave(why)
    },
  }
}
