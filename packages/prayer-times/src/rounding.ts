import type { Rounding } from './method.ts'
import type { Prayer } from './prayers.ts'

export type RoundingDirection = 'nearest' | 'up' | 'down'

const MINUTE_MS = 60_000

/**
 * Umm al-Qura's tables never invite to pray too early: each time is rounded up to the full minute,
 * except sunrise, which ends the time of Fajr and is rounded down.
 */
export function roundingDirection(mode: Rounding, prayer: Prayer): RoundingDirection {
  if (mode !== 'ummalqura') return mode
  return prayer === 'sunrise' ? 'down' : 'up'
}

const ROUND = { nearest: Math.round, up: Math.ceil, down: Math.floor }

export function roundToMinute(epochMs: number, direction: RoundingDirection): number {
  return ROUND[direction](epochMs / MINUTE_MS) * MINUTE_MS
}
