import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { offsetAt } from '@manara/posix-tz/offset-at'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import { explain } from '@manara/prayer-times/explain'
import { prayerTimes } from '@manara/prayer-times/prayer-times'
import { PRAYERS } from '@manara/prayer-times/prayers'
import { readCityList } from './city-list.ts'
import { PRINTED_ALL_YEAR } from './printed-all-year.fixture.ts'
import { PRINTED_IN_ASIA } from './printed-in-asia.fixture.ts'
import { PRINTED_IN_EUROPE } from './printed-in-europe.fixture.ts'
import { PRINTED } from './printed-times.fixture.ts'
import { usualMethod } from './usual-method.ts'

const CITIES = readCityList(readFileSync(new URL('../cities.txt', import.meta.url), 'utf8'))

for (const { source, city: name, within, rows } of [
  ...PRINTED,
  ...PRINTED_IN_ASIA,
  ...PRINTED_IN_EUROPE,
  ...PRINTED_ALL_YEAR,
])
  test(`who chooses ${name} gets to ${within} min: ${source}`, () => {
    const city = CITIES.find(({ names }) => names[0] === name)
    assert.ok(city)
    for (const row of rows) {
      const [date = '', ...printed] = row.split(' ')
      const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
      const { offset_s } = offsetAt(parsePosixTz(city.rule), Date.parse(`${date}T12:00:00Z`))
      const place = { ...city, utc_offset_s: offset_s }
      const times = prayerTimes({ year, month, day }, place, usualMethod(city.country, name))
      for (const [index, prayer] of PRAYERS.entries()) {
        if (printed[index] === '-') continue
        const official = Date.parse(`${date}T${printed[index]}Z`) - offset_s * 1000
        const late = (times[prayer] - official) / 60_000
        assert.ok(Math.abs(late) <= within, `${date} ${prayer} ${late}`)
      }
    }
  })

test('the later Asr is usual where it is printed, and nowhere else', () => {
  const hanafi = CITIES.filter(
    ({ names, country }) => usualMethod(country, names[0] ?? '').asr_hanafi,
  )
  assert.deepEqual([...new Set(hanafi.map(({ country }) => country))].sort(), [
    'AF',
    'AZ',
    'BD',
    'IN',
    'KG',
    'KZ',
    'PK',
    'RU',
    'TJ',
    'UZ',
  ])
})

const OWN_TOWNS = [
  ['RU', 'tatarstan', 'Kazan', 'Naberezhnye Chelny', 'Nizhnekamsk', 'Almetyevsk'],
  ['GB', 'london', 'London'],
  ['MY', 'kelantan', 'Kota Bharu'],
  ['CA', null, 'Montreal', 'Ottawa'],
  ['ZA', null, 'Cape Town'],
  ['PS', 'gaza', 'Gaza', 'Khan Yunis', 'Rafah', 'Jabalia', 'Deir al-Balah'],
  ['RS', 'bosnia', 'Novi Pazar'],
  ['NO', 'diyanet', 'Tromso'],
] as const
for (const [country, convention, ...towns] of OWN_TOWNS)
  test(`${towns.join(', ')} and no other town of ${country} has ${convention ?? 'a number'}, and the later Asr only in Tatarstan`, () => {
    const there = CITIES.filter((city) => city.country === country)
    const own = there.filter(
      ({ names }) => usualMethod(country, names[0] ?? '').convention === convention,
    )
    assert.deepEqual(own.map(({ names }) => names[0]).sort(), [...towns].sort())
    const hanafi = there.filter(({ names }) => usualMethod(country, names[0] ?? '').asr_hanafi)
    assert.deepEqual(hanafi, country === 'RU' ? own : [])
  })

// What an authority says of its table, or others have measured over a year of it, where no row is held: degrees of the
// sun below the horizon at Fajr and Isha, and minutes from sunset to Maghrib.
type Range = [least: number, most: number]
const EIGHTEEN: Range = [17.9, 18.1]
const DESCRIBED: [city: string, fajr: Range, isha: Range, maghrib: Range][] = [
  ['Beirut', [19.1, 20], [17.2, 18.1], [3.1, 6.8]],
  ['Johannesburg', EIGHTEEN, EIGHTEEN, [2.5, 3.5]],
  ['Auckland', EIGHTEEN, EIGHTEEN, [-0.5, 0.5]],
  ['Haifa', EIGHTEEN, EIGHTEEN, [4.9, 7.3]],
  ['Jerusalem', EIGHTEEN, EIGHTEEN, [4.9, 7.3]],
  ['Gaza', [19.4, 19.6], [17.4, 17.6], [2, 3.6]],
]
for (const [name, ...ranges] of DESCRIBED)
  test(`who chooses ${name} gets what is known of its table`, () => {
    const city = CITIES.find(({ names }) => names[0] === name)
    assert.ok(city)
    for (let month = 1; month <= 12; month++) {
      const date = { year: 2026, month, day: 15 }
      const { fajr, maghrib, isha } = explain(date, city, usualMethod(city.country, name)).prayers
      const found = [
        -fajr.sun_altitude,
        -isha.sun_altitude,
        (maghrib.epoch - maghrib.raw_epoch) / 60_000,
      ]
      for (const [index, [least, most]] of ranges.entries())
        assert.ok(least <= (found[index] ?? 0) && (found[index] ?? 0) <= most, `${month} ${found}`)
    }
  })

/** Minutes from the sun's setting to Maghrib as who chooses the city gets it. */
function maghribAfterSunset(name: string, month: number): number {
  const city = CITIES.find(({ names }) => names[0] === name)
  assert.ok(city)
  const date = { year: 2026, month, day: 15 }
  const { maghrib } = prayerTimes(date, city, usualMethod(city.country, name))
  const bare = prayerTimes(date, city, { method: 0, asr_hanafi: false })
  return (maghrib - bare.maghrib) / 60_000
}

// Seven of twelve calendars of Dutch mosques were seen to have Diyanet's, six to nine minutes after sunset, and
// Montenegro's community has it seven and a half after.
for (const name of ['Amsterdam', 'Podgorica'])
  test(`who chooses ${name} is not called to Maghrib before most mosques there`, () => {
    for (let month = 1; month <= 12; month++) {
      const minutes = maghribAfterSunset(name, month)
      assert.ok(minutes >= 5 && minutes <= 9, `${month} ${minutes}`)
    }
  })
