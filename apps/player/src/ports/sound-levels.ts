/** Loudness in decibels below full scale (0 is as loud as can be, 127 is nothing), one per step. */
export type SoundLevels = { step_ms: number; below: Uint8Array }

export type Measurement = {
  /**
   * Rejects with a reason that can be shown, and with the signal's when it was aborted. Undefined when
   * the card has not answered: another time it may.
   */
  levels: Promise<SoundLevels | undefined>
  /** Costs nothing until `goOn`. */
  rest(): void
  goOn(): void
}

/** Decodes a whole file off the main thread and at low priority, and forgets the sound itself. */
export type MeasureSound = (
  absolutePath: string,
  options: { signal: AbortSignal; onProgress(percent: number): void },
) => Measurement
