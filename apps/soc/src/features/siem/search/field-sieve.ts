import { createTellAgain } from '../../../core/arrivals/tell-again.ts'

const AGAIN_MS = 60_000

/** Where events are read: those with a name of a field that was not told a moment ago. */
export function createSieve(now: () => number = Date.now) {
  const isNews = createTellAgain(AGAIN_MS)
  return ({ fields }: { fields: Record<string, unknown> }): boolean => {
    const moment = now()
    let hasNews = false
    for (const name in fields) if (isNews(name, moment)) hasNews = true
    return hasNews
  }
}
