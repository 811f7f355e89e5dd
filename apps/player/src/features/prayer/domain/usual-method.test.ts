import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { offsetAt } from '@manara/posix-tz/offset-at'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
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

test('in Russia it is usual in the towns of Tatarstan alone, which are in the list', () => {
  const hanafi = CITIES.filter(
    ({ names, country }) => country === 'RU' && usualMethod(country, names[0] ?? '').asr_hanafi,
  )
  assert.deepEqual(
    hanafi.map(({ names }) => names[0]),
    ['Kazan', 'Naberezhnye Chelny', 'Nizhnekamsk', 'Almetyevsk'],
  )
})
