import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCityList } from './city-list.ts'
import { findCities, plain } from './find-cities.ts'

const CITIES = readCityList(`# SA Asia/Riyadh <+03>-3
Makkah/Mecca|مكة المكرمة|21.42|39.83
Madinah/Medina|المدينة المنورة|24.47|39.61
# EG Africa/Cairo EET-2EEST,M4.5.5/0,M10.5.4/24
Cairo|القاهرة|30.04|31.24
Alexandria|الإسكندرية|31.20|29.92
Minya|المنيا|28.11|30.75
# ES Europe/Madrid CET-1CEST,M3.5.0,M10.5.0/3
Cordoba|قرطبة|37.89|-4.78
`)

const COUNTRIES: Record<string, string[]> = {
  SA: ['Saudi Arabia', 'المملكة العربية السعودية'],
  EG: ['Egypt', 'مصر'],
  ES: ['Spain', 'إسبانيا'],
}

const namesOf = (query: string) =>
  findCities(CITIES, query, (country) => COUNTRIES[country] ?? []).map(({ names }) => names[0])

const CASES: [query: string, found: string[]][] = [
  ['cairo', ['Cairo']],
  ['CAI', ['Cairo']],
  ['mecca', ['Makkah']],
  ['القاهرة', ['Cairo']],
  ['قاهره', ['Cairo']],
  ['الاسكندريه', ['Alexandria']],
  ['إسكندرية', ['Alexandria']],
  ['مكه', ['Makkah']],
  ['مَكَّة', ['Makkah']],
  ['المنورة', ['Madinah']],
  ['Córdoba', ['Cordoba']],
  ['egypt', ['Cairo', 'Alexandria', 'Minya']],
  ['مصر', ['Cairo', 'Alexandria', 'Minya']],
  ['eg', ['Cairo', 'Alexandria', 'Minya']],
  ['ma', ['Makkah', 'Madinah']],
  ['m', ['Makkah', 'Madinah', 'Minya']],
  ['nowhere', []],
  ['***', []],
]
for (const [query, found] of CASES)
  test(`“${query}” finds ${found.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(namesOf(query).slice(0, found.length || 1), found)
  })

test('a name that is met whole comes before one that begins so, and that before one that has it inside', () => {
  const cities = readCityList('# XX Z R\nOld Tripoli|أ|0|0\nTripolis|ب|0|0\nTripoli|ت|0|0\n')
  const found = findCities(cities, 'tripoli', () => [])
  assert.deepEqual(
    found.map(({ names }) => names[0]),
    ['Tripoli', 'Tripolis', 'Old Tripoli'],
  )
})

test('plain leaves a word that is only an article', () => {
  assert.equal(plain('Al'), 'al')
  assert.equal(plain('Aļ-Ķuds  Š'), 'kuds s')
})
