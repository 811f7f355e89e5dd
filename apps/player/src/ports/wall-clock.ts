/** Who vouches for the time: nobody yet, the clock chip, the network, or a person. */
export type TimeSource = 'none' | 'rtc' | 'sntp' | 'manual'

/**
 * The time of day that adhan, schedules and the screen go by. It may differ from the machine's own
 * clock, which the service is not always allowed to set.
 */
export type WallClock = {
  /** Unix milliseconds. Means nothing while the time is not set. */
  now(): number
  /** It tells a time that can be true: good enough to show, not to announce anything by. */
  isSet(): boolean
  /** False until something vouches for the time: then nothing may be announced by it. */
  isTrusted(): boolean
  source(): TimeSource
  /**
   * Calls back after the time has jumped or its source has changed; the result ends it. Time that
   * merely passes is no change.
   */
  onChange(listener: () => void): () => void
  /**
   * A person has set the time. Resolves once `now()` tells it and listeners have been called, even
   * where neither the machine's clock nor a clock chip could be set; the result says which were.
   */
  set(epoch_s: number): Promise<ClocksSet>
}

export type ClocksSet = {
  /** False: the service may not set the machine's clock and keeps the difference itself. */
  system_clock: boolean
  rtc: boolean
}

/** What proves the time to a service that starts again in the same boot. */
export type VouchedTime = {
  source: 'sntp' | 'manual'
  boot_id: string
  /** The machine's clock less its uptime: the same as long as nobody sets that clock. */
  since_boot_ms: number
  /** What the service adds to the machine's clock, where it could not set that. */
  offset_ms: number
  /** What said already then that the network sets the clock: no news about the time set since. */
  stale_evidence: string | undefined
}
