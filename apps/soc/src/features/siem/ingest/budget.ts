import { AppError } from '@manara/kit/errors'

const WINDOW_MS = 60_000
/** Datagrams name any address they like: of more than these, those seen first are forgotten. */
const MOST_SENDERS = 100_000

export type Budget = ReturnType<typeof createBudget>

/**
 * Events per minute and sender, in this process. How many a request holds is known only when it has
 * been read: the one that crosses the line is still taken, the next is 429.
 */
export function createBudget(perMinute: number, now: () => number = () => performance.now()) {
  const windows = new Map<string, { endsAt: number; used: number }>()

  function windowOf(sender: string) {
    const time = now()
    const known = windows.get(sender)
    if (known && known.endsAt > time) return known
    // In the order in which they end: a look at each, with every new sender, would take for ever.
    for (const [name, { endsAt }] of windows) {
      if (endsAt > time && windows.size < MOST_SENDERS) break
      windows.delete(name)
    }
    const fresh = { endsAt: time + WINDOW_MS, used: 0 }
    windows.set(sender, fresh)
    return fresh
  }

  /** How long this sender has to wait; 0 when it need not. */
  function waitMs(sender: string): number {
    const { used, endsAt } = windowOf(sender)
    return used < perMinute ? 0 : endsAt - now()
  }

  return {
    waitMs,
    check(sender: string) {
      const wait = waitMs(sender)
      if (wait === 0) return
      const retryAfter = Math.max(1, Math.ceil(wait / 1_000))
      throw new AppError(429, `too many log events: try again in ${retryAfter} s`, { retryAfter })
    },
    spend(sender: string, events: number) {
      windowOf(sender).used += events
    },
  }
}
