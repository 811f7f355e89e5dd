/** `auto` has been decided before: this is where sound really goes. */
export type SinkName = 'aplay' | 'pw-cat' | 'null' | `capture:${string}`

export type SinkEvents = {
  /** The device ran dry although sound was written in time. */
  underrun(): void
  failed(error: Error): void
}

/** Takes 16-bit stereo at the rate of its device, from one start to one pause or end. */
export type Sink = {
  /** Frames it would take now. */
  wanted(): number
  write(samples: Int16Array): void
  /** Frames written that have been heard. */
  heard(): number
  written(): number
  /** Sound goes on after the ring ran empty: the time without is not to be made up for. */
  resumeClock(): void
  /** Resolves when the last frame written has been heard. */
  drain(): Promise<void>
  /** At once; what has not been heard is dropped. */
  close(): void
}

export type SinkOptions = { rate: number; events: SinkEvents; command?: string }
