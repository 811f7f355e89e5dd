import { setTimeout as sleep } from 'node:timers/promises'

/** What the device may hold beyond what mpv says it has played. */
const DEVICE_MS = 150

export type Tail = ReturnType<typeof createTail>

/** The end of the track before, which is still to be heard when the track is over. */
export function createTail() {
  let until = 0
  return {
    begin(left_ms: number) {
      until = performance.now() + left_ms + DEVICE_MS
    },
    /** What is about to change would be heard in it. */
    async over() {
      const left_ms = until - performance.now()
      if (left_ms > 0) await sleep(left_ms)
    },
    /** Whether what begins now can join it; nothing after that can. */
    join(): boolean {
      const isHeard = performance.now() < until
      until = 0
      return isHeard
    },
  }
}
