/** `auto` has been decided before: this is where sound really goes. */
export type SinkName =
  | 'aplay'
  | 'pw-cat'
  | 'null'
  | `alsa:${string}`
  | `pipewire:${string}`
  | `capture:${string}`

export type SinkEvents = {
  /** The device ran dry. */
  underrun(): void
  failed(error: Error): void
}

/** Takes 16-bit stereo at one rate, and stays open across tracks and pauses. */
export type Sink = {
  rate: number
  /** Frames that are written ahead of what is heard. */
  lead: number
  /** Frames it would take now. While there is no sound to be had, of silence: none if it needs none. */
  wanted(isSound: boolean): number
  write(samples: Int16Array): void
  /** Frames written that have been heard. */
  heard(): number
  written(): number
  /** It needs more at once. */
  isDry(): boolean
  /** Sound goes on after a time in which nothing was written. */
  resumeClock(): void
  /** Resolves when everything written has been heard and the device is free for another. */
  finish(): Promise<void>
  /** At once; what has not been heard is dropped. */
  close(): void
}

export type SinkOptions = {
  rate: number
  events: SinkEvents
  /** The program behind the sink, when it is not the one of that name on the path. */
  command?: string
  /** Where the kernel tells about sound cards, when it is not `/proc/asound`. */
  asound?: string
}
