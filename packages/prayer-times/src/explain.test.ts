import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { explain } from './explain.ts'
import type { PrayerConfig } from './methods.ts'
import { prayerTimes } from './prayer-times.ts'
import { PRAYERS } from './prayers.ts'

const CAIRO = { lat: 30.0444, lng: 31.2357 }
const TROMSO = { lat: 69.6492, lng: 18.9553 }
const EGYPTIAN: PrayerConfig = { method: 2, asr_hanafi: false }

const SEPTEMBER_1 = { year: 2025, month: 9, day: 1 }
const MIDSUMMER = { year: 2025, month: 6, day: 21 }

describe('explain', () => {
  test('arrives at the times that prayerTimes gives', () => {
    const config = { ...EGYPTIAN, offsets_min: [1, 2, 3, 4, 5, 6] }
    const times = prayerTimes(SEPTEMBER_1, CAIRO, config)
    const { prayers } = explain(SEPTEMBER_1, CAIRO, config)
    for (const prayer of PRAYERS) {
      const { raw_epoch, rounded_by_s, offset_min, epoch } = prayers[prayer]
      assert.equal(epoch, times[prayer])
      assert.equal(raw_epoch + rounded_by_s * 1000 + offset_min * 60_000, epoch)
    }
  })

  test('names the angle, the sun and the work on the clock', () => {
    const { fajr } = explain(SEPTEMBER_1, CAIRO, EGYPTIAN).prayers
    assert.deepEqual(fajr.rule, { kind: 'angle', angle: -19.5 })
    assert.equal(fajr.sun_altitude.toFixed(3), '-19.500')
    assert.equal(fajr.sun_declination.toFixed(2), '8.23')
    assert.equal(fajr.rounding, 'nearest')
    assert.equal(new Date(fajr.raw_epoch).toISOString(), '2025-09-01T02:02:08.000Z')
  })

  test('gives the equation of time: sundials are 16 min fast in November, 14 min slow in February', () => {
    const seconds = (month: number, day: number) =>
      explain({ year: 2025, month, day }, CAIRO, EGYPTIAN).equation_of_time_s
    assert.ok(Math.abs(seconds(11, 3) - 987) < 5, String(seconds(11, 3))) // +16 min 27 s
    assert.ok(Math.abs(seconds(2, 11) + 853) < 5, String(seconds(2, 11))) // -14 min 13 s
  })

  const sentences: [
    what: string,
    config: PrayerConfig,
    prayer: (typeof PRAYERS)[number],
    text: RegExp,
  ][] = [
    [
      'an angle',
      EGYPTIAN,
      'isha',
      /^Isha is when the sun is 17\.5° below the western horizon; the time/,
    ],
    [
      'the horizon',
      EGYPTIAN,
      'sunrise',
      /^Sunrise is when the sun's upper edge touches the eastern/,
    ],
    ['the meridian', EGYPTIAN, 'dhuhr', /^Dhuhr is when the sun has crossed the meridian/],
    [
      'a shadow',
      EGYPTIAN,
      'asr',
      /grown since noon by the height of what casts it, with the sun 35\.46° high/,
    ],
    ['a Hanafi shadow', { ...EGYPTIAN, asr_hanafi: true }, 'asr', /by twice the height/],
    [
      'an interval',
      { ...EGYPTIAN, method: 3 },
      'isha',
      /^Isha is 90 minutes after Maghrib; .* up to the minute/,
    ],
    [
      'an offset',
      { ...EGYPTIAN, offsets_min: [0, 0, -2, 0, 0, 0] },
      'dhuhr',
      /nearest minute \([+−]\d+ s\) and moved by −2 min\.$/,
    ],
  ]
  for (const [what, config, prayer, text] of sentences)
    test(`tells a person about ${what}`, () => {
      assert.match(explain(SEPTEMBER_1, CAIRO, config).prayers[prayer].text, text)
    })

  const TROMSO_SUMMER = { year: 2025, month: 7, day: 30 }
  const others: [
    what: string,
    config: PrayerConfig,
    at: { date: typeof SEPTEMBER_1; place: typeof CAIRO },
    prayer: (typeof PRAYERS)[number],
    text: RegExp,
  ][] = [
    [
      'the minutes of a convention',
      { ...EGYPTIAN, convention: 'diyanet', offsets_min: [0, 0, 0, 0, 2, 0] },
      { date: SEPTEMBER_1, place: CAIRO },
      'maghrib',
      /\(.*\), the method moves it by \+7 min and moved by \+2 min\.$/,
    ],
    [
      'own angles',
      {
        ...EGYPTIAN,
        convention: 'custom',
        custom_angles: {
          fajr_angle: 16.5,
          isha_angle: null,
          isha_interval_min: 75,
          maghrib_angle: 4,
        },
      },
      { date: SEPTEMBER_1, place: CAIRO },
      'isha',
      /^Isha is 75 minutes after Maghrib;/,
    ],
    [
      'a Maghrib by angle',
      { ...EGYPTIAN, convention: 'tehran' },
      { date: SEPTEMBER_1, place: CAIRO },
      'maghrib',
      /^Maghrib is when the sun is 4\.5° below the western horizon/,
    ],
    [
      'a Maghrib by an angle that is not reached',
      { ...EGYPTIAN, convention: 'tehran' },
      { date: TROMSO_SUMMER, place: TROMSO },
      'maghrib',
      /^Maghrib is when the sun's upper edge touches/,
    ],
    [
      'the season',
      { ...EGYPTIAN, convention: 'moonsighting' },
      { date: MIDSUMMER, place: { lat: 51.5, lng: 0 } },
      'isha',
      /^Isha is 80 minutes after sunset, as the Moonsighting Committee/,
    ],
    [
      'a night without darkness',
      { ...EGYPTIAN, convention: 'tatarstan' },
      { date: MIDSUMMER, place: { lat: 55.79, lng: 49.12 } },
      'fajr',
      /^Fajr is 121 minutes before sunrise, as Tatarstan has it/,
    ],
    [
      'a timetable',
      { ...EGYPTIAN, convention: 'london' },
      { date: MIDSUMMER, place: { lat: 51.51, lng: -0.13 } },
      'isha',
      /^Isha is 78 minutes after sunset, as London's unified timetable has it/,
    ],
    [
      'a timetable of another country',
      { ...EGYPTIAN, convention: 'ireland' },
      { date: MIDSUMMER, place: { lat: 53.35, lng: -6.26 } },
      'isha',
      /^Isha is 116 minutes after sunset, as the timetable of the Islamic Cultural Centre of Ireland has it/,
    ],
    [
      'a twilight of another town',
      { ...EGYPTIAN, convention: 'bosnia' },
      { date: MIDSUMMER, place: { lat: 44.77, lng: 17.19 } },
      'isha',
      /^Isha is 122 minutes after sunset, as long as twilight lasts in Sarajevo on this day/,
    ],
    [
      'a calendar that holds Fajr in spring',
      { ...EGYPTIAN, convention: 'norway' },
      { date: { year: 2026, month: 4, day: 24 }, place: { lat: 59.91, lng: 10.75 } },
      'fajr',
      /^Fajr is 118 minutes before sunrise, as Norway's common calendar has it in summer/,
    ],
    [
      'a calendar that goes by latitude 45° at midsummer',
      { ...EGYPTIAN, convention: 'belgium' },
      { date: MIDSUMMER, place: { lat: 50.85, lng: 4.35 } },
      'isha',
      /^Isha is 120 minutes after sunset, as the Executive of the Muslims of Belgium has it/,
    ],
    [
      'the nearest day',
      { ...EGYPTIAN, high_latitude: 'nearest_day' },
      { date: MIDSUMMER, place: { lat: 51.5, lng: 0 } },
      'fajr',
      /^Fajr is as long before noon as on 2025-07-\d\d, the nearest day when the sun stands 19\.5° below/,
    ],
    [
      'the nearest latitude',
      { ...EGYPTIAN, high_latitude: 'nearest_latitude' },
      { date: MIDSUMMER, place: { lat: 59.9, lng: 10.75 } },
      'isha',
      /^Isha is 29 % of the night after sunset \(nearest latitude\), since the sun does not/,
    ],
  ]
  for (const [what, config, { date, place }, prayer, text] of others)
    test(`tells a person about ${what}`, () => {
      assert.match(explain(date, place, config).prayers[prayer].text, text)
    })

  test('tells that Isha is later in Ramadan', () => {
    const config: PrayerConfig = { method: 3, asr_hanafi: false, ramadan_isha: true }
    const { isha } = explain({ year: 2025, month: 3, day: 10 }, CAIRO, config).prayers
    assert.match(isha.text, /^Isha is 120 minutes after Maghrib, since it is Ramadan; /)
  })

  test('tells which part of the night stands in for twilight that does not end', () => {
    const oslo = { lat: 59.9139, lng: 10.7522 }
    const { fajr } = explain(MIDSUMMER, oslo, {
      ...EGYPTIAN,
      high_latitude: 'seventh_of_the_night',
    }).prayers
    assert.equal(fajr.rule.kind, 'night_portion')
    assert.match(fajr.text, /^Fajr is a seventh of the night before sunrise .* 19\.5° below/)
  })
})

describe('where the sun does not rise and set', () => {
  const cases: [what: string, date: typeof MIDSUMMER, lat: number, from: string][] = [
    ['the polar day', MIDSUMMER, 69.6492, '2025-07-26'],
    ['the polar night', { year: 2025, month: 12, day: 10 }, 69.6492, '2025-11-22'],
    ['the southern polar day', { year: 2025, month: 12, day: 1 }, -77.85, '2025-10-21'],
  ]
  for (const [what, date, lat, from] of cases)
    test(`${what} borrows the clock times of ${from}`, () => {
      const place = { ...TROMSO, lat }
      const { basis, basis_text } = explain(date, place, EGYPTIAN)
      assert.match(basis_text, new RegExp(`the times are those of ${from}`))
      assert.equal(basis.kind, 'nearest_day')
      const [year = 0, month = 0, day = 0] = from.split('-').map(Number)
      const shift = Date.UTC(date.year, date.month - 1, date.day) - Date.UTC(year, month - 1, day)
      const lender = prayerTimes({ year, month, day }, place, EGYPTIAN)
      const borrower = prayerTimes(date, place, EGYPTIAN)
      for (const prayer of ['sunrise', 'dhuhr', 'asr', 'maghrib'] as const)
        assert.equal(borrower[prayer], lender[prayer] + shift)
    })

  test('at the pole, where no day would do, the times are those of 65°', () => {
    const pole = explain(MIDSUMMER, { lat: 90, lng: 0 }, EGYPTIAN)
    assert.deepEqual(pole.basis, { kind: 'nearest_latitude', lat: 65 })
    assert.deepEqual(
      prayerTimes(MIDSUMMER, { lat: 90, lng: 0 }, EGYPTIAN),
      prayerTimes(MIDSUMMER, { lat: 65, lng: 0 }, EGYPTIAN),
    )
  })

  test("Umm al-Qura's Isha stays before the middle of a night shorter than three hours", () => {
    const { isha } = explain({ year: 2025, month: 7, day: 30 }, TROMSO, {
      ...EGYPTIAN,
      method: 3,
    }).prayers
    assert.equal(isha.rule.kind, 'night_portion')
    assert.match(isha.text, /half of the night after sunset .* too short for the usual interval/)
  })

  test('Kazakhstan has its own part of the night, and minutes of its north', () => {
    const config: PrayerConfig = { method: 0, convention: 'kazakhstan', asr_hanafi: true }
    const [astana, almaty] = [51.17, 43.24].map(
      (lat) => explain(MIDSUMMER, { lat, lng: 71.43 }, config).prayers,
    )
    assert.match(astana?.fajr.text ?? '', /^Fajr is 25 % of the night before sunrise/)
    assert.deepEqual(almaty?.fajr.rule, { kind: 'angle', angle: -15 })
    assert.deepEqual([astana?.maghrib.method_min, almaty?.maghrib.method_min], [5, 3])
  })

  test('an ordinary day needs no excuse', () => {
    const { basis, basis_text } = explain(SEPTEMBER_1, CAIRO, EGYPTIAN)
    assert.deepEqual([basis, basis_text], [{ kind: 'this_day' }, ''])
  })
})
