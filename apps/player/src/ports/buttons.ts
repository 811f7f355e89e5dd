/** What a key or a knob says: type, code and value as the kernel gives them (linux/input.h). */
export type InputEvent = { type: number; code: number; value: number }

/** Buttons and knobs that the kernel reads. One that is lost is looked for until it is back. */
export type Buttons = {
  /** Reports events, in order, until it is stopped. Returns at once and never throws. */
  start(
    listener: (device: string, event: InputEvent) => void,
    onProblem: (problem: string | undefined) => void,
  ): void
  stop(): void
}
