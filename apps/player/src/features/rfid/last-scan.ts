import type { Scan } from '@manara/player-contract/cards'
import type { Clock } from '../../ports/clock.ts'

export type LastScan = ReturnType<typeof createLastScan>

/** The polling fallback of the event `nfc`. Not kept over a restart: then nothing was tapped yet. */
export function createLastScan(clock: Clock, isRegistered: (uid: string) => boolean) {
  let last: { uid: string; at: number } | undefined

  return {
    note(uid: string) {
      last = { uid, at: clock.monotonic() }
    },
    read(): Scan {
      if (!last) return { uid: '', uid_len: 0, registered: false, age_ms: -1 }
      const { uid, at } = last
      return {
        uid,
        uid_len: uid.length / 2,
        registered: isRegistered(uid),
        age_ms: Math.round(clock.monotonic() - at),
      }
    },
  }
}
