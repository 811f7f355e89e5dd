import { readFile } from 'node:fs/promises'
import type { CitiesQuery, CityList } from '@manara/player-contract/prayer-tables'
import type { z } from 'zod'
import { readCityList } from './domain/city-list.ts'
import { findCities } from './domain/find-cities.ts'
import { usualMethod } from './domain/usual-method.ts'

const FILE = new URL('./cities.txt', import.meta.url)
const DEFAULT_LIMIT = 20

// What people type where the official name is another.
const ALSO_CALLED: Record<string, string[]> = {
  TR: ['Turkey'],
  US: ['USA', 'America', 'أمريكا'],
  GB: ['UK', 'England', 'Britain', 'إنجلترا', 'بريطانيا'],
  AE: ['UAE', 'Emirates', 'الإمارات'],
  SA: ['السعودية'],
  NL: ['Holland', 'هولندا'],
  PS: ['Palestine', 'فلسطين'],
  BA: ['Bosnia', 'البوسنة'],
  KR: ['Korea'],
  CD: ['Congo'],
}

/** Read anew for each search: a place is chosen once, and memory is wanted all the time. */
export async function searchCities({
  q,
  limit,
}: z.output<typeof CitiesQuery>): Promise<z.input<typeof CityList>> {
  const cities = readCityList(await readFile(FILE, 'utf8'))
  const english = new Intl.DisplayNames('en', { type: 'region' })
  const arabic = new Intl.DisplayNames('ar', { type: 'region' })
  const found = findCities(cities, q, (code) => [
    english.of(code) ?? '',
    arabic.of(code) ?? '',
    ...(ALSO_CALLED[code] ?? []),
  ])
  return {
    total: found.length,
    cities: found
      .slice(0, limit === undefined ? DEFAULT_LIMIT : Number(limit))
      .map(({ names, arabic: namesAr, country, lat, lng, zone, rule }) => ({
        name: names[0] ?? '',
        name_ar: namesAr[0] ?? '',
        country,
        country_name: english.of(country) ?? country,
        country_name_ar: arabic.of(country) ?? country,
        lat,
        lng,
        zone,
        timezone: rule,
        ...usualMethod(country, names[0] ?? ''),
      })),
  }
}
