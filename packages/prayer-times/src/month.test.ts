import assert from 'node:assert/strict'
import { test } from 'node:test'
import { month } from './month.ts'
import { prayerTimes } from './prayer-times.ts'

const MAKKAH = { lat: 21.4225, lng: 39.8262, utc_offset_s: 10_800 }
const CONFIG = { method: 3, asr_hanafi: false, hijri_adjust: 1 } as const

test('a month has a row for each of its days, with the times of that day', () => {
  const rows = month(2024, 2, MAKKAH, CONFIG)
  assert.equal(rows.length, 29)
  for (const [index, { date, epochs }] of rows.entries()) {
    assert.deepEqual(date, { year: 2024, month: 2, day: index + 1 })
    assert.deepEqual(epochs, prayerTimes(date, MAKKAH, CONFIG))
  }
})

test('each row carries the Hijri date, adjusted as configured', () => {
  const [first] = month(2025, 3, MAKKAH, CONFIG)
  assert.equal(`${first?.hijri.day} ${first?.hijri.month_name}`, '2 Ramadan')
})
