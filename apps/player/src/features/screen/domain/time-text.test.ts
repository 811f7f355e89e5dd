import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@manara/player-contract/settings'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import { clockText, playTime, timeUntil } from './time-text.ts'

const CLOCKS: [utc: string, language: Language, is24h: boolean, text: string][] = [
  ['00:00', 'en', false, '12:00 AM'],
  ['00:05', 'en', true, '00:05'],
  ['11:59', 'en', false, '11:59 AM'],
  ['12:00', 'en', false, '12:00 PM'],
  ['15:42', 'en', false, '3:42 PM'],
  ['15:42', 'en', true, '15:42'],
  ['09:07', 'ar', false, '٩:٠٧ ص'],
  ['15:42', 'ar', false, '٣:٤٢ م'],
  ['15:42', 'ar', true, '١٥:٤٢'],
]

for (const [utc, language, time_format_24h, text] of CLOCKS) {
  test(`${utc} is ${text} in ${language} with ${time_format_24h ? 24 : 12} hours`, () => {
    const face = { zone: parsePosixTz('UTC0'), language, time_format_24h }
    assert.equal(clockText(Date.parse(`2026-03-01T${utc}:59.999Z`), face), text)
  })
}

test('the clock goes by the rule of the zone', () => {
  const face = {
    zone: parsePosixTz('EET-2EEST,M4.5.5/0,M10.5.4/24'),
    language: 'en',
    time_format_24h: true,
  } as const
  assert.equal(clockText(Date.parse('2026-01-15T12:00:00Z'), face), '14:00')
  assert.equal(clockText(Date.parse('2026-07-15T12:00:00Z'), face), '15:00')
})

const PLAY_TIMES: [ms: number, text: string][] = [
  [0, '0:00'],
  [-5, '0:00'],
  [999, '0:00'],
  [61_000, '1:01'],
  [3_599_999, '59:59'],
  [3_600_000, '1:00:00'],
  [7_087_400, '1:58:07'],
]

for (const [ms, text] of PLAY_TIMES) {
  test(`${ms} ms of a track are ${text}`, () => assert.equal(playTime(ms, 'en'), text))
}

const COUNTDOWNS: [ms: number, language: Language, text: string][] = [
  [0, 'en', 'in 0:00'],
  [-1_000, 'en', 'in 0:00'],
  [1, 'en', 'in 0:01'],
  [599_000, 'en', 'in 9:59'],
  [599_001, 'en', 'in 10 min'],
  [600_000, 'en', 'in 10 min'],
  [601_000, 'en', 'in 11 min'],
  [3_540_000, 'en', 'in 59 min'],
  [3_540_001, 'en', 'in 1 h 0 min'],
  [8_040_000, 'en', 'in 2 h 14 min'],
  [8_040_000, 'ar', 'بعد ٢ س ١٤ د'],
  [252_000, 'ar', 'بعد ٤:١٢'],
]

for (const [ms, language, text] of COUNTDOWNS) {
  test(`${ms} ms are left: ${text}`, () => assert.equal(timeUntil(ms, language), text))
}
