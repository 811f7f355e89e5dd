import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PrayerStatus } from '@manara/player-contract/prayer'
import { currentPrayer, nextPrayer } from './prayer-day.ts'

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
  assert.deepEqual(nextPrayer(DAY, 7_000), { name: 'asr', seconds: 0, isNow: true })
})

test('the current one is the last that has begun; before Fajr it is Isha of the night', () => {
  assert.equal(currentPrayer(DAY, 3_999), 'dhuhr')
  assert.equal(currentPrayer(DAY, 4_000), 'asr')
  assert.equal(currentPrayer(DAY, 10), 'isha')
})
