import type { PrayerConfigBody } from '@manara/player-contract/prayer-config'
import type { Api } from './api.ts'

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
}

/** What the box is to go by where this phone is; how times are computed there only where it is known. */
type Zone = Pick<City, 'timezone'> & Partial<Pick<City, 'method' | 'convention'>>

const MOST = 100
const HALF_MONTH_MS = 15 * 24 * 60 * 60 * 1000
const HALF_MONTHS = Array.from({ length: 24 }, (_, at) => at * HALF_MONTH_MS)

/**
 * The zone of this phone as the box takes it: that of a city the zone is called by, or whose clock
 * goes the same; else its hours, where they stay the same all year.
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
  const year = offsets(zone, now)
  if (exact || !year) return exact
  return cities.find((city) => offsets(city.zone, now)?.join() === year.join()) ?? fixed(year)
}

/** How far its clocks are from Greenwich on the half months of a year: `+05:30`. */
function offsets(zone: string, now: number): string[] | undefined {
  try {
    const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    return HALF_MONTHS.map(
      (later) => /GMT([+-]\d\d:\d\d)/.exec(clock.format(now + later))?.[1] ?? '+00:00',
    )
  } catch {
    return undefined
  }
}

/** A rule string counts to the west. */
function fixed([first = '', ...others]: string[]): Zone | undefined {
  if (others.some((one) => one !== first)) return undefined
  const west = first.startsWith('+') ? '-' : '+'
  return { timezone: `<${first.replace(':', '')}>${west}${first.slice(1)}` }
}
