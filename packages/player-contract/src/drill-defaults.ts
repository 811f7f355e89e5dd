/** How verses are memorised when nothing else is said. */
export const DRILL_DEFAULTS = {
  method: 'each',
  repeat: 5,
  link: 3,
  passes: 1,
  gap_percent: 100,
  pause_s: 3,
} as const
