import { type ClockLog, createAttempts } from './attempts.ts'
import { isPlausible } from './plausible.ts'

export type ChipParts = {
  readRtc(): Promise<number | undefined>
  writeRtc(epoch_s: number): Promise<void>
  memory: {
    /** The time that the service has last set the chip to, in Unix seconds. */
    chipSetTo(): number | undefined
    saveChipSetTo(epoch_s: number): void
  }
  log: ClockLog
}

// The chip counts whole seconds.
const AGREES_MS = 2_000

/** The clock chip of the board, and whether it counts from a time that this box has set. */
export function createChip({ readRtc, writeRtc, memory, log }: ChipParts, now: () => number) {
  const { succeeds, ifPossible } = createAttempts(log)

  /** A chip that was never set by this box, or has gone back since, counts from nothing we know. */
  function countsFromOurs(rtc_s: number): boolean {
    const setTo_s = memory.chipSetTo()
    return setTo_s !== undefined && rtc_s >= setTo_s
  }

  /** To the time that it is now; false where it could not be set. */
  async function set(): Promise<boolean> {
    const epoch_s = Math.round(now() / 1000)
    if (!(await succeeds(writeRtc(epoch_s)))) return false
    ifPossible('that the clock chip was set', () => memory.saveChipSetTo(epoch_s))
    return true
  }

  return {
    set,

    /** So that the next boot without a network begins with the time that it is now. */
    async follow() {
      const rtc_s = await readRtc()
      const agrees = rtc_s !== undefined && Math.abs(rtc_s * 1000 - now()) <= AGREES_MS
      if (!agrees || !countsFromOurs(rtc_s)) await set()
    },

    /** Unix seconds; undefined where there is no chip or it cannot be believed. */
    async read(): Promise<number | undefined> {
      const rtc_s = await readRtc()
      if (rtc_s === undefined || !isPlausible(rtc_s * 1000)) return undefined
      if (countsFromOurs(rtc_s)) return rtc_s
      log.info({ rtc_s }, 'the clock chip does not count from a time this box has set')
      return undefined
    },
  }
}
