import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import { currentPrayer, missingFor, nextPrayer } from './prayer-day.ts'

const DAY = {
  valid: true,
  epochs: { fajr: 1_000, sunrise: 2_000, dhuhr: 3_000, asr: 4_000, maghrib: 5_000, isha: 6_000 },
  next: { name: 'asr', time: '15:00', epoch: 4_000, in_s: 0 },
} as unknown as Extract<PrayerStatus, { valid: true }>

test('until it begins, the next prayer counts down', () => {
  assert.deepEqual(nextPrayer(DAY, 3_500), { name: 'asr', seconds: 500, isNow: false })
})

test('when it begins it is now, and never counts below zero', () => {
  assert.deepEqual(nextPrayer(DAY, 4_000), { name: 'asr', seconds: 0, isNow: true })
  assert.deepEqual(nextPrayer(DAY, 4_119), { name: 'asr', seconds: 0, isNow: true })
})

test('a page that has not heard of the next one yet counts to it by the table', () => {
  assert.deepEqual(nextPrayer(DAY, 4_500), { name: 'maghrib', seconds: 500, isNow: false })
})

test('after the last of the day it waits for the word of the box', () => {
  const night = { ...DAY, next: { ...DAY.next, name: 'fajr', epoch: 9_000 } } as typeof DAY
  assert.deepEqual(nextPrayer(night, 8_999), { name: 'fajr', seconds: 1, isNow: false })
  assert.deepEqual(nextPrayer(night, 9_000), { name: 'fajr', seconds: 0, isNow: true })
})

test('a table of a day that is over tells nothing: no prayer is now for hours', () => {
  const night = { ...DAY, next: { ...DAY.next, name: 'fajr', epoch: 9_000 } } as typeof DAY
  assert.equal(nextPrayer(night, 9_120), undefined)
  assert.equal(nextPrayer(DAY, 6_120), undefined)
})

test('the current one is the last that has begun; before Fajr it is Isha of the night', () => {
  assert.equal(currentPrayer(DAY, 3_999), 'dhuhr')
  assert.equal(currentPrayer(DAY, 4_000), 'asr')
  assert.equal(currentPrayer(DAY, 10), 'isha')
})

test('a box that knows its place and not the time is not asked for its place', () => {
  const without = (lat: number | null) => ({ valid: false, config: { lat, lng: lat } }) as never
  assert.equal(missingFor(without(null)), 'place')
  assert.equal(missingFor(without(30)), 'clock')
})
