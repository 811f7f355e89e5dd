/** In the contract's order, which is also the order of `offsets_min`. */
export const PRAYERS = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

export type Prayer = (typeof PRAYERS)[number]

/** Something for each of the six, in the order of `PRAYERS`. */
export function forEachPrayer<T>(make: (prayer: Prayer, index: number) => T): Record<Prayer, T> {
  return Object.fromEntries(
    PRAYERS.map((prayer, index) => [prayer, make(prayer, index)]),
  ) as Record<Prayer, T>
}
