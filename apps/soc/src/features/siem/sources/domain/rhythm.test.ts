import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SourceHistory, silentFrom } from './rhythm.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const DAY = 24
const WEEK = 168
/** A Monday, midnight. */
const MONDAY = Date.UTC(2026, 0, 5) / HOUR

/** What a source that speaks in the hours for which `isOn` holds leaves behind, `weeks` long. */
function historyOf(
  weeks: number,
  isOn: (hourOfWeek: number, hour: number) => boolean,
  { gap = MINUTE, isWatched = (_: number): boolean => true } = {},
): SourceHistory {
  const active = new Map<number, number>()
  let last: number | undefined
  for (let hour = MONDAY - weeks * WEEK; hour < MONDAY; hour += 1) {
    if (!isOn((hour - MONDAY + 52 * WEEK) % WEEK, hour)) continue
    active.set(hour, last === undefined ? 0 : last === hour - 1 ? gap : (hour - last) * HOUR)
    last = hour
  }
  return { firstHour: MONDAY - weeks * WEEK, active, isWatched }
}

/** It was last heard so many hours after Monday's midnight: after which time is its silence told? */
function told(history: SourceHistory, lastHour: number) {
  const since = (MONDAY + lastHour) * HOUR
  const due = silentFrom(history, since, since + 15 * MINUTE)
  return due === undefined ? undefined : Math.round((due - MONDAY * HOUR) / MINUTE) / 60
}

const always = () => true
const office = (hour: number) => hour < 5 * DAY && hour % DAY >= 8 && hour % DAY < 18
const nightly = (hour: number) => hour % DAY === 2
/** No rhythm: about every seventh hour, the same in every run. */
const bursty = (_: number, hour: number) => (Math.imul(hour, 0x9e3779b1) >>> 16) % 7 === 0

test('a steady source is missed after a quarter of an hour and its own pauses', () => {
  assert.equal(told(historyOf(3, always), 10), 10 + 16 / 60)
  assert.ok((told(historyOf(3, always, { gap: 40 * MINUTE }), 10) ?? 0) > 11)
})

test('one is not missed before it is a week old', () => {
  const halfWeek = historyOf(0.5, always)
  assert.equal(told(halfWeek, 2), WEEK / 2)
})

test('nights and weekends are no silence, a missing morning is', () => {
  const history = historyOf(3, office)
  const friday = told(history, 4 * DAY + 18) ?? 0
  assert.ok(friday > 7 * DAY + 8 && friday < 7 * DAY + 13, `Friday evening: ${friday}`)
  const monday = told(history, 18) ?? 0
  assert.ok(monday > DAY + 8 && monday < DAY + 13, `Monday evening: ${monday}`)
  const noon = told(history, DAY + 12) ?? 0
  assert.ok(noon > DAY + 12 && noon < DAY + 13, `Tuesday noon: ${noon}`)
})

test('a nightly batch is missed some hours after its time, not before', () => {
  const due = told(historyOf(3, nightly), 2.2) ?? 0
  assert.ok(due > DAY + 3 && due < DAY + 6, String(due))
})

test('one without a rhythm is given more than the pauses it usually makes', () => {
  const history = historyOf(4, bursty)
  const longest = Math.max(...[...history.active.values()].toSorted((a, b) => a - b).slice(0, -2))
  const due = told(history, 0) ?? Number.POSITIVE_INFINITY
  assert.ok(due > longest / HOUR, `${due} h, although it paused for ${longest / HOUR} h before`)
})

test('of its own history no moment would have been told', () => {
  for (const isOn of [always, office, nightly, bursty]) {
    const history = historyOf(5, isOn)
    let last = MONDAY - 2 * WEEK
    for (let hour = last; hour < MONDAY; hour += 1) {
      if (!history.active.has(hour)) continue
      const due = silentFrom(history, (last + 0.99) * HOUR, (last + 1) * HOUR)
      assert.ok(due === undefined || due > hour * HOUR, `${isOn.name} in hour ${hour - MONDAY}`)
      last = hour
    }
  }
})

test('hours in which we were away say nothing', () => {
  // Nobody watched for all of the weeks before: an empty hour is then no sign of rest.
  const away = historyOf(3, (_, hour) => hour < MONDAY - 2 * WEEK, { isWatched: () => false })
  assert.equal(told(away, 10), 10 + 16 / 60)
})

test('one failure weeks ago does not make it deaf', () => {
  const isOff = (hour: number) => hour >= MONDAY - WEEK + 9 && hour < MONDAY - WEEK + 20
  const history = historyOf(4, (_, hour) => !isOff(hour))
  assert.ok((told(history, 10) ?? 99) < 11)
})
