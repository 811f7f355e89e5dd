import type { TransitionRule } from './transition-rule.ts'

/** `offset_s` counts seconds east of UTC, the opposite of the sign in the string. */
export type ClockSetting = { abbreviation: string; offset_s: number }

/** A parsed rule string. `daylight` is null where the clock never changes. */
export type PosixTz = {
  standard: ClockSetting
  daylight: (ClockSetting & { start: TransitionRule; end: TransitionRule }) | null
}
