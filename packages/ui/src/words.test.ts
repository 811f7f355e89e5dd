import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpeech } from './words.ts'

const en = createSpeech('en', {})
const ar = createSpeech('ar', {})

test('lengths are written as on a clock face, in the digits of the language', () => {
  assert.equal(en.clock(0), '0:00')
  assert.equal(en.clock(187_900), '3:07')
  assert.equal(en.clock(3_729_000), '1:02:09')
  assert.equal(en.clock(-5), '0:00')
  assert.equal(ar.clock(187_900), '٣:٠٧')
})

test('digits follow the setting, whatever the language', () => {
  assert.equal(createSpeech('ar', {}, 'latn').number(114), '114')
  assert.equal(createSpeech('en', {}, 'arab').number(114), '١١٤')
  assert.equal(ar.number(1448), '١٤٤٨')
})

test('a quarter is a quarter where it is one', () => {
  assert.equal(en.number(0.25), '0.3')
  assert.equal(en.exact(0.25), '0.25')
  assert.equal(en.exact(3), '3')
  assert.equal(ar.exact(31.24), '٣١٫٢٤')
})

test('what is left until a prayer is never 0:00 before it and never negative after it', () => {
  assert.equal(en.span(1), '0:01')
  assert.equal(en.span(60), '0:01')
  assert.equal(en.span(5_041), '1:25')
  assert.equal(en.span(0), '0:00')
  assert.equal(en.span(-90), '0:00')
})

test('times of day are told as the owner likes them', () => {
  assert.equal(en.timeOfDay('00:05', false), '12:05 AM')
  assert.equal(en.timeOfDay('12:00', false), '12:00 PM')
  assert.equal(en.timeOfDay('15:24', false), '3:24 PM')
  assert.equal(en.timeOfDay('05:04', true), '05:04')
  assert.equal(ar.timeOfDay('15:24', false), '٣:٢٤ م')
  assert.equal(ar.timeOfDay('15:24', true), '١٥:٢٤')
})

test('Arabic counts in six forms', () => {
  const forms = {
    zero: 'لا آيات',
    one: 'آية واحدة',
    two: 'آيتان',
    few: '{n} آيات',
    many: '{n} آية',
    other: '{n} آية',
  }
  const said = [0, 1, 2, 3, 11, 100].map((n) => ar.count(forms, n))
  assert.deepEqual(said, ['لا آيات', 'آية واحدة', 'آيتان', '٣ آيات', '١١ آية', '١٠٠ آية'])
})

test('what is unknown in a sentence is left empty, numbers in it take the digits of the language', () => {
  assert.equal(en.fill('Round {n} of {m}', { n: 4, m: 7 }), 'Round 4 of 7')
  assert.equal(ar.fill('الدورة {n} من {m}', { n: 4, m: 7 }), 'الدورة ٤ من ٧')
  assert.equal(en.fill('{nobody}!', {}), '!')
})

test('ages are told in the largest unit that fits', () => {
  assert.equal(en.ago(20), 'now')
  assert.equal(en.ago(130), '2 minutes ago')
  assert.equal(en.ago(-7_300), 'in 2 hours')
  assert.equal(en.ago(90_000), 'yesterday')
})

test('a day of the calendar is the same day in every zone', () => {
  assert.equal(en.date('2026-11-15', { weekday: 'long' }), 'Sunday')
  assert.equal(en.date('2026-11-01', { day: 'numeric' }), '1')
})
