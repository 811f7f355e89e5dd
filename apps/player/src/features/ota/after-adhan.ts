import type { Clock } from '../../ports/clock.ts'

export type AfterAdhanDeps = {
  clock: Pick<Clock, 'after' | 'monotonic'>
  isAnnouncing(): boolean
}

const LOOK_MS = 1_000
// An adhan takes four minutes; one that was paused does not hold an update up for longer.
const LONGEST_WAIT_MS = 15 * 60_000

/** Runs at once, or when the adhan is over: nothing that happens by itself cuts it short. */
export function afterAdhan({ clock, isAnnouncing }: AfterAdhanDeps, run: () => void) {
  const since = clock.monotonic()
  const look = () => {
    const isToWait = isAnnouncing() && clock.monotonic() - since < LONGEST_WAIT_MS
    if (isToWait) clock.after(LOOK_MS, look)
    else run()
  }
  look()
}
