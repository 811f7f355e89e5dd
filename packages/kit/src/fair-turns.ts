import { AppError } from './errors.ts'

type Waiting = { begin(): void; giveUp(error: unknown): void }

/**
 * A few things at once for everybody together. Whoever waits gets turns in a circle with the others,
 * however much one of them asks for; beyond `each` under way and waiting, one is told `tooMuch`.
 */
export function createFairTurns(limits: { atOnce: number; each: number; tooMuch: string }) {
  const waiting = new Map<string, Waiting[]>()
  const asked = new Map<string, number>()
  let running = 0

  function next() {
    const [who, line] = waiting.entries().next().value ?? []
    if (who === undefined || line === undefined || running >= limits.atOnce) return
    // To the end of the circle, or out of it.
    waiting.delete(who)
    const turn = line.shift()
    if (line.length > 0) waiting.set(who, line)
    running += 1
    turn?.begin()
  }

  function myTurn(who: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn: Waiting = { begin: resolve, giveUp: reject }
      waiting.set(who, [...(waiting.get(who) ?? []), turn])
      signal?.addEventListener('abort', () => leave(who, turn, signal.reason), { once: true })
      next()
    })
  }

  function leave(who: string, turn: Waiting, reason: unknown) {
    const line = waiting.get(who) ?? []
    if (!line.includes(turn)) return
    const rest = line.filter((other) => other !== turn)
    if (rest.length > 0) waiting.set(who, rest)
    else waiting.delete(who)
    turn.giveUp(reason)
  }

  return {
    async run<T>(who: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const mine = asked.get(who) ?? 0
      if (mine >= limits.each) throw new AppError(429, limits.tooMuch, { retryAfter: 1 })
      asked.set(who, mine + 1)
      try {
        signal?.throwIfAborted()
        await myTurn(who, signal)
        try {
          return await work()
        } finally {
          running -= 1
          next()
        }
      } finally {
        const left = (asked.get(who) ?? 1) - 1
        if (left > 0) asked.set(who, left)
        else asked.delete(who)
      }
    },
  }
}
