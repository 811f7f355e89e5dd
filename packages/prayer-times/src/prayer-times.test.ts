import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from './calendar-date.ts'
import type { PrayerConfig } from './methods.ts'
import { prayerTimes } from './prayer-times.ts'
import { PRAYERS } from './prayers.ts'
import type { Place } from './solar-day.ts'

const CAIRO = { lat: 30.0444, lng: 31.2357 }
const MAKKAH = { lat: 21.4225, lng: 39.8262 }
const OSLO = { lat: 59.9139, lng: 10.7522 }
const MWL: PrayerConfig = { method: 0, asr_hanafi: false }
const UMM_AL_QURA: PrayerConfig = { method: 3, asr_hanafi: false }

const on = (text: string) => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}

const minutesBetween = (from: number, to: number) => (to - from) / 60_000

describe('configuration', () => {
  test('offsets_min moves each prayer by its own minutes', () => {
    const plain = prayerTimes(on('2025-09-01'), CAIRO, MWL)
    const offsets_min = [1, -2, 3, -4, 5, -6]
    const moved = prayerTimes(on('2025-09-01'), CAIRO, { ...MWL, offsets_min })
    assert.deepEqual(
      PRAYERS.map((prayer) => minutesBetween(plain[prayer], moved[prayer])),
      offsets_min,
    )
  })

  test('the Hanafi Asr is later and changes nothing else', () => {
    const { asr, ...rest } = prayerTimes(on('2025-09-01'), CAIRO, MWL)
    const { asr: hanafi, ...others } = prayerTimes(on('2025-09-01'), CAIRO, {
      ...MWL,
      asr_hanafi: true,
    })
    assert.equal(minutesBetween(asr, hanafi), 60)
    assert.deepEqual(others, rest)
  })

  test('a larger Fajr angle is an earlier Fajr: Egyptian, Umm al-Qura, MWL and Karachi, ISNA', () => {
    const fajr = ([2, 3, 0, 4, 1] as const).map(
      (method) =>
        prayerTimes(on('2025-03-20'), CAIRO, { ...MWL, method, rounding: 'nearest' }).fajr,
    )
    assert.deepEqual(
      fajr.slice(1).map((time) => minutesBetween(fajr[0] ?? 0, time)),
      [5, 7, 7, 21],
    )
  })

  test('rounding ummalqura takes sunrise down and the others up', () => {
    const nearest = prayerTimes(on('2025-09-04'), CAIRO, MWL)
    const careful = prayerTimes(on('2025-09-04'), CAIRO, { ...MWL, rounding: 'ummalqura' })
    for (const prayer of PRAYERS) {
      const moved = minutesBetween(nearest[prayer], careful[prayer])
      assert.ok(prayer === 'sunrise' ? moved === 0 || moved === -1 : moved === 0 || moved === 1)
    }
  })
})

describe("Umm al-Qura's Isha", () => {
  const cases: [what: string, date: string, config: Partial<PrayerConfig>, minutes: number][] = [
    ['90 minutes after Maghrib', '2025-06-01', { ramadan_isha: true }, 90],
    ['90 in Ramadan too unless asked', '2025-03-10', {}, 90],
    ['120 in Ramadan when asked', '2025-03-10', { ramadan_isha: true }, 120],
    ['120 on the first day', '2025-03-01', { ramadan_isha: true }, 120],
    ['90 on the day before', '2025-02-28', { ramadan_isha: true }, 90],
    // Umm al-Qura began Ramadan 1443 on April 2, the tabular calendar on April 3.
    ['120 on the first day by its own calendar', '2022-04-02', { ramadan_isha: true }, 120],
    ['later with an announced Ramadan', '2025-03-01', { ramadan_isha: true, hijri_adjust: -1 }, 90],
    [
      'earlier with an announced Ramadan',
      '2025-02-28',
      { ramadan_isha: true, hijri_adjust: 1 },
      120,
    ],
  ]
  for (const [what, date, config, minutes] of cases) {
    test(`${what}: ${date}`, () => {
      const { maghrib, isha } = prayerTimes(on(date), MAKKAH, { ...UMM_AL_QURA, ...config })
      assert.equal(minutesBetween(maghrib, isha), minutes)
    })
  }
})

describe('high latitudes', () => {
  const midsummer = (high_latitude?: PrayerConfig['high_latitude']) =>
    prayerTimes(on('2025-06-21'), OSLO, high_latitude ? { ...MWL, high_latitude } : MWL)

  test('without a rule Fajr and Isha are in the middle of the night', () => {
    assert.deepEqual(midsummer(), midsummer('middle_of_the_night'))
    const tonight = midsummer().isha
    const tomorrow = prayerTimes(on('2025-06-22'), OSLO, MWL).fajr
    assert.equal(tonight, tomorrow)
  })

  test('the shorter the part of the night, the closer to the sun', () => {
    const [half, third, seventh] = [
      midsummer('middle_of_the_night'),
      midsummer('twilight_angle'),
      midsummer('seventh_of_the_night'),
    ]
    // The night lasts 310 minutes: 1/2, 18/60 and 17/60, 1/7 of it.
    const before = [half, third, seventh].map((day) => minutesBetween(day.fajr, day.sunrise))
    const after = [half, third, seventh].map((day) => minutesBetween(day.maghrib, day.isha))
    assert.deepEqual(before, [155, 93, 45])
    assert.deepEqual(after, [155, 88, 44])
  })

  test('where twilight is short enough the rule changes nothing', () => {
    const winter = (high_latitude: PrayerConfig['high_latitude']) =>
      prayerTimes(on('2025-12-21'), OSLO, { ...MWL, ...(high_latitude && { high_latitude }) })
    assert.deepEqual(winter('twilight_angle'), winter('middle_of_the_night'))
  })
})

describe('the day belongs to the civil date of the place', () => {
  const places: [name: string, place: Place][] = [
    ['Apia, UTC+13 at longitude -172', { lat: -13.83, lng: -171.77, utc_offset_s: 13 * 3600 }],
    ['Kiritimati, UTC+14 at longitude -157', { lat: 1.87, lng: -157.4, utc_offset_s: 14 * 3600 }],
    ['Chatham, UTC+13:45 at longitude -176', { lat: -43.95, lng: -176.5, utc_offset_s: 49_500 }],
    ['Adak, UTC-10 at longitude -177', { lat: 51.88, lng: -176.65, utc_offset_s: -10 * 3600 }],
    ['Pago Pago, UTC-11 at longitude -171', { lat: -14.28, lng: -170.7, utc_offset_s: -39_600 }],
    ['Anadyr, UTC+12 at longitude 177', { lat: 64.73, lng: 177.5, utc_offset_s: 12 * 3600 }],
    ['Kashgar, UTC+8 at longitude 76', { lat: 39.47, lng: 75.99, utc_offset_s: 8 * 3600 }],
  ]
  for (const [name, place] of places) {
    test(`${name} prays Dhuhr around noon of the date asked for, all year`, () => {
      for (let day = 0; day < 365; day++) {
        const date = new Date(Date.UTC(2025, 0, 1 + day))
        const { dhuhr } = prayerTimes(on(date.toISOString().slice(0, 10)), place, MWL)
        const clock = new Date(dhuhr + (place.utc_offset_s ?? 0) * 1000)
        assert.equal(clock.toISOString().slice(0, 10), date.toISOString().slice(0, 10))
        assert.ok(clock.getUTCHours() >= 11 && clock.getUTCHours() < 16, clock.toISOString())
      }
    })
  }

  test('without utc_offset_s the clock follows the longitude', () => {
    const date = on('2025-05-05')
    const given = prayerTimes(date, { ...CAIRO, utc_offset_s: 10_800 }, MWL)
    assert.deepEqual(prayerTimes(date, CAIRO, MWL), given)
  })
})

test("Belgium's summer begins and ends without a step back, also in its north", () => {
  const antwerp = { lat: 51.22, lng: 4.4, utc_offset_s: 7200 }
  const times = (from: string, days: number) =>
    prayerTimes(addDays(on(from), days), antwerp, { ...MWL, convention: 'belgium' })
  const day = 24 * 60
  for (let days = 0; days < 20; days++) {
    const [july, april] = [times('2026-07-23', days), times('2026-04-16', days)]
    const fajr = minutesBetween(july.fajr, times('2026-07-23', days + 1).fajr)
    const isha = minutesBetween(april.isha, times('2026-04-16', days + 1).isha)
    assert.ok(fajr >= day && isha >= day, `${days} ${fajr} ${isha}`)
  }
})
