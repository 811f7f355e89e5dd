import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import { PRAYER_DEFAULTS } from '../prayer.store.ts'
import { adhanTimes, prayerMoments } from './adhan-times.ts'
import type { Setting } from './local-day.ts'

const cairo: Setting = {
  zone: parsePosixTz('EET-2EEST,M4.5.5/0,M10.5.4/24'),
  config: {
    ...PRAYER_DEFAULTS,
    lat: 30.0312784,
    lng: 31.2125945,
    method: 2,
  },
}
const DAY = 86_400_000
const midnight = Date.parse('2025-09-12T00:00:00+03:00')
const day = prayerMoments(cairo, midnight, midnight + DAY)

const MASKS: [mask: number, calls: string[]][] = [
  [0b111111, ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha']],
  [0b111101, ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha']],
  [0b000010, []],
  [0b000001, ['fajr']],
  [0b000100, ['dhuhr']],
  [0b001000, ['asr']],
  [0b110000, ['maghrib', 'isha']],
  [0, []],
]

for (const [mask, calls] of MASKS) {
  test(`prayer_mask ${mask} calls to ${calls.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(
      adhanTimes(day, mask).map(({ prayer }) => prayer),
      calls,
    )
  })
}

test('from is left out and until is not, so that neighbouring spans share nothing', () => {
  const [fajr] = day
  assert.ok(fajr)
  assert.deepEqual(prayerMoments(cairo, fajr.at - 1, fajr.at), [fajr])
  assert.deepEqual(prayerMoments(cairo, fajr.at, fajr.at + 1), [])
})

test('a year in spans of any length has each prayer of each date once', () => {
  const until = midnight + 366 * DAY
  const whole = prayerMoments(cairo, midnight, until)
  const parts = []
  for (let from = midnight; from < until; from += 7 * 3_600_000) {
    parts.push(...prayerMoments(cairo, from, Math.min(from + 7 * 3_600_000, until)))
  }
  assert.deepEqual(parts, whole)
  assert.equal(new Set(whole.map(({ key, date }) => key + date)).size, 366 * 6)
})

test('an Isha after midnight belongs to the date before', () => {
  const berlin: Setting = {
    zone: parsePosixTz('CET-1CEST,M3.5.0,M10.5.0/3'),
    config: { ...cairo.config, lat: 52.52, lng: 13.405, method: 0 },
  }
  const from = Date.parse('2026-06-21T00:00:00+02:00')
  const [first] = prayerMoments(berlin, from, from + 2 * 3_600_000)
  assert.deepEqual([first?.prayer, first?.date], ['isha', '2026-06-20'])
})
