import { createQueue } from '@manara/kit/queue'
import type { Card, CardIdentity } from '../../ports/card.ts'
import { type CardEvent, cardEvents } from './domain/card-events.ts'

/** Runs once after `ms`, unless the returned function is called first. */
export type Timer = (run: () => unknown, ms: number) => () => void

type WatchOptions = {
  card: Card
  onEvent(event: CardEvent): void
  timer?: Timer
  poll_ms?: number
}

export type CardWatch = ReturnType<typeof watchCard>

const POLL_MS = 5_000

// Copying a recitation makes hundreds of events: one look serves those of a third of a second.
const SETTLE_MS = 300

/**
 * Tells when a card comes, goes or changes. The folders named by `follow` are heard at once; the
 * poll finds what no watch can tell: a card that is put in, and changes where watching failed.
 */
export function watchCard({ card, onEvent, timer = systemTimer, poll_ms = POLL_MS }: WatchOptions) {
  let seen: CardIdentity | undefined
  let isHinted = false
  let isDeaf = false
  let isStopped = false
  const checks = createQueue()
  let cancelSettle: (() => void) | undefined

  const folders = card.watchFolders(() => {
    isHinted = true
    cancelSettle ??= timer(() => {
      cancelSettle = undefined
      return check()
    }, SETTLE_MS)
  })

  let cancelPoll = timer(poll, poll_ms)
  async function poll() {
    if (isDeaf) isHinted = true
    await check()
    if (!isStopped) cancelPoll = timer(poll, poll_ms)
  }

  // One look after the other: two at once could report one insertion twice.
  function check(): Promise<void> {
    return checks.run(async () => {
      const hinted = isHinted
      isHinted = false
      const now = await card.identity()
      if (isStopped) return
      const events = cardEvents(seen, now, hinted)
      seen = now
      for (const event of events) onEvent(event)
    })
  }

  return {
    /** Looks now; resolves when what it saw has been reported. */
    check,
    follow(paths: Parameters<typeof folders.follow>[0]) {
      isDeaf = !folders.follow(paths)
    },
    stop() {
      isStopped = true
      cancelPoll()
      cancelSettle?.()
      folders.close()
    },
  }
}

const systemTimer: Timer = (run, ms) => {
  const timeout = setTimeout(run, ms).unref()
  return () => clearTimeout(timeout)
}
