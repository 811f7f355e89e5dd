import type { ShadowFactor } from './daylight.ts'
import type { NorthernRule } from './northern-season.ts'
import type { Prayer } from './prayers.ts'
import type { Sun } from './sun.ts'
import type { TwilightRule } from './twilight.ts'
import type { Basis } from './usable-day.ts'

/** Why a prayer is when it is. */
export type Rule =
  | TwilightRule
  | NorthernRule
  | { kind: 'horizon'; angle: number }
  | { kind: 'transit' }
  | { kind: 'shadow'; factor: ShadowFactor }

export type Found = { raw: number; rule: Rule }

/** `method_min` is what the convention itself adds to the raw moment. */
export type Moment = Found & { method_min: number }

export type DerivedDay = {
  transit: number
  basis: Basis
  /** The sun by which the moments were found. */
  sun: Sun
  moments: Record<Prayer, Moment>
}
