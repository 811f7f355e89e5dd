import type { City } from './city-list.ts'

/** The best matches first: whole names, then beginnings, then words, then countries. */
export function findCities(
  cities: readonly City[],
  query: string,
  countryNames: (country: string) => readonly string[],
): City[] {
  const wanted = plain(query)
  if (wanted === '') return []
  const ofCountry = new Map<string, boolean>()
  const isInCountry = (country: string) => {
    const known = ofCountry.get(country)
    if (known !== undefined) return known
    const names = [country, ...countryNames(country)].map(plain)
    const isIn = names.some(
      (name) => name === wanted || (wanted.length > 2 && name.startsWith(wanted)),
    )
    ofCountry.set(country, isIn)
    return isIn
  }
  return cities
    .map((city) => ({ city, rank: rankOf(city, wanted) ?? (isInCountry(city.country) ? 4 : 9) }))
    .filter(({ rank }) => rank < 9)
    .sort((a, b) => a.rank - b.rank)
    .map(({ city }) => city)
}

function rankOf({ names, arabic }: City, wanted: string): number | undefined {
  const ranks = [...names, ...arabic].map(plain).map((name) => {
    if (name === wanted) return 0
    if (name.startsWith(wanted)) return 1
    if (name.includes(` ${wanted}`)) return 2
    return name.includes(wanted) ? 3 : 9
  })
  const best = Math.min(...ranks)
  return best < 9 ? best : undefined
}

/**
 * How a name is compared: without case, accents, vowel signs and punctuation, with one form of the
 * letters that people write in several ways, and without the article.
 */
export function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}ـ'’`.]/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ىئ]/g, 'ي')
    .replace(/ؤ/g, 'و')
    .replace(/ة/g, 'ه')
    .replace(/[ıİ]/g, 'i')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(^| )(ال|al |el |the )(?=\S\S)/g, '$1')
}
