import type { Battery } from '@manara/player-contract/battery'

export type Rtc = {
  /** Undefined when the chip has lost its time, for instance after its cell ran empty. */
  epoch_s: number | undefined
  /** Degrees Celsius, from chips that measure it to correct themselves. */
  temperature: number | undefined
}

/** What surrounds the processor. What is not fitted is told as such and never made up. */
export type Board = {
  readonly name: string
  /** Never rejects: a battery that cannot be read is not there. */
  battery(): Promise<Battery>
  /** Undefined without a clock chip. Never rejects. */
  rtc(): Promise<Rtc | undefined>
  /** Resolves once the chip tells that time; rejects with a reason when there is none or it cannot be set. */
  writeRtc(epoch_s: number): Promise<void>
  /** 0..255; false without a backlight. Rejects when there is one and it refuses. */
  setBrightness(level: number): Promise<boolean>
  /** Why this host cannot sleep, or undefined when it can. */
  whyNoSleep(): Promise<string | undefined>
  /** True when an alarm of the clock chip can end the sleep. */
  canWakeItself(): Promise<boolean>
  /**
   * Sleeps now and resolves after waking, at the latest after `wakeIn_s` where the board can wake
   * itself. Rejects with a reason, still awake, when the host refuses.
   */
  sleep(wakeIn_s: number | undefined): Promise<void>
}
