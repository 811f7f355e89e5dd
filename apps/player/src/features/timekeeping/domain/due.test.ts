import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge, type Occasion } from './due.ts'

const MINUTE = 60_000
const NOON = Date.parse('2026-03-01T12:00:00Z')

const at = (offset_ms: number, late_ms = 0): Occasion => ({
  key: 'adhan:dhuhr',
  date: '2026-03-01',
  at: NOON + offset_ms,
  late_ms,
  same_ms: MINUTE,
})

type Row = [what: string, occasion: Occasion, lastLook: number | undefined, verdict: string]

const ROWS: Row[] = [
  ['at its moment', at(0), NOON - 1, 'due'],
  ['still to come', at(1), NOON - 1, ''],
  ['60 s ago, box just started', at(-MINUTE), undefined, 'due'],
  ['over 60 s ago, box just started', at(-MINUTE - 1), undefined, 'missed'],
  ['over 60 s ago, which the last look has seen', at(-MINUTE - 1), NOON - 1, ''],
  ['jumped over by more than it allows', at(-MINUTE - 1), NOON - 5 * MINUTE, 'missed'],
  ['jumped over within what it allows', at(-10 * MINUTE, 20 * MINUTE), NOON - 30 * MINUTE, 'due'],
  ['jumped over long ago', at(-21 * MINUTE, 20 * MINUTE), NOON - 30 * MINUTE, 'missed'],
  ['slept through, which allows nothing', at(-10 * MINUTE, 20 * MINUTE), undefined, 'missed'],
]

for (const [what, occasion, lastLook, verdict] of ROWS) {
  test(`an occasion ${what} is ${verdict || 'left alone'}`, () => {
    const { due, missed } = judge([occasion], { now: NOON, lastLook, isSettled: () => false })
    assert.deepEqual(
      [due.length, missed.length],
      [Number(verdict === 'due'), Number(verdict === 'missed')],
    )
  })
}

test('what has happened on its date is neither due nor missed, whatever the clock shows', () => {
  const { due, missed } = judge([at(0), at(-5 * MINUTE)], {
    now: NOON,
    lastLook: NOON - MINUTE,
    isSettled: () => true,
  })
  assert.deepEqual([due, missed], [[], []])
})

test('looking at any moments, each occasion is due at most once and never before its time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -120, max: 120 }), { minLength: 1, maxLength: 40 }),
      fc.uniqueArray(fc.integer({ min: -60, max: 60 }), { maxLength: 10 }),
      (looks, minutes) => {
        const occasions = minutes.map((minute) => ({
          ...at(minute * MINUTE, 20 * MINUTE),
          key: String(minute),
        }))
        const happened: string[] = []
        let lastLook: number | undefined
        for (const look of looks) {
          const now = NOON + look * MINUTE
          const { due } = judge(occasions, {
            now,
            lastLook,
            isSettled: ({ key }) => happened.includes(key),
          })
          for (const { key, at: moment } of due) {
            assert.ok(moment <= now)
            assert.ok(!happened.includes(key))
            happened.push(key)
          }
          lastLook = now
        }
      },
    ),
  )
})
