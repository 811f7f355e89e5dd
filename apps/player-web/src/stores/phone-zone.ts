import type { PrayerConfigBody } from '@manara/player-contract/prayer-config'
import type { Api } from './api.ts'
import { zoneRule } from './zone-rule.ts'

export type City = {
  name: string
  name_ar: string
  country_name: string
  country_name_ar: string
  lat: number
  lng: number
  zone: string
  /** The rule of the zone, as the box takes it. */
  timezone: string
  method: 0 | 1 | 2 | 3 | 4
  convention: PrayerConfigBody['convention']
  asr_hanafi: boolean
}

/** What the box is to go by where this phone is; how times are computed there only where it is known. */
type Zone = Pick<City, 'timezone'> & Partial<Pick<City, 'method' | 'convention' | 'asr_hanafi'>>

const MOST = 100

/**
 * The zone of this phone as the box takes it: that of a city the zone is called by, or whose clock
 * goes the same; else as the clock of the phone goes.
 */
export async function findZone(
  api: Pick<Api, 'get'>,
  zone: string,
  now: number,
): Promise<Zone | undefined> {
  const name = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
  const { cities } = await api.get<{ cities: City[] }>(
    `/prayer/cities?limit=${MOST}&q=${encodeURIComponent(name)}`,
  )
  const exact = cities.find((city) => city.zone === zone)
  const rule = zoneRule(zone, now)
  if (exact || !rule) return exact
  return cities.find((city) => zoneRule(city.zone, now) === rule) ?? { timezone: rule }
}
