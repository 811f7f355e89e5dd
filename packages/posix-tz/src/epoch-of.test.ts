import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { epochOf } from './epoch-of.ts'
import { localTime } from './local-time.ts'
import { offsetAt } from './offset-at.ts'
import { parsePosixTz } from './parse-posix-tz.ts'
import { REAL_ZONES } from './real-zones.fixture.ts'

const wallTime = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number)
  return { year, month, day, hour, minute, second: 0 }
}

describe('epochOf places a wall-clock time', () => {
  const oslo = 'CET-1CEST,M3.5.0,M10.5.0/3'
  const cairo = 'EET-2EEST,M4.5.5/0,M10.5.4/24'
  const lordHowe = '<+1030>-10:30<+11>-11,M10.1.0,M4.1.0'
  const dublin = 'IST-1GMT0,M10.5.0,M3.5.0/1'
  const cases: [rule: string, wall: string, kind: string, epochs: string[]][] = [
    ['<+03>-3', '2025-06-01 04:30', 'unique', ['2025-06-01T01:30']],
    [oslo, '2025-03-30 01:59', 'unique', ['2025-03-30T00:59']],
    [oslo, '2025-03-30 02:00', 'gap', ['2025-03-30T01:00']],
    [oslo, '2025-03-30 02:30', 'gap', ['2025-03-30T01:00']],
    [oslo, '2025-03-30 03:00', 'unique', ['2025-03-30T01:00']],
    [oslo, '2025-10-26 01:59', 'unique', ['2025-10-25T23:59']],
    [oslo, '2025-10-26 02:30', 'overlap', ['2025-10-26T00:30', '2025-10-26T01:30']],
    [oslo, '2025-10-26 03:00', 'unique', ['2025-10-26T02:00']],
    [cairo, '2025-04-25 00:15', 'gap', ['2025-04-24T22:00']],
    [cairo, '2025-10-30 23:15', 'overlap', ['2025-10-30T20:15', '2025-10-30T21:15']],
    [lordHowe, '2025-10-05 02:15', 'gap', ['2025-10-04T15:30']],
    [lordHowe, '2025-04-06 01:45', 'overlap', ['2025-04-05T14:45', '2025-04-05T15:15']],
    [dublin, '2025-03-30 01:30', 'gap', ['2025-03-30T01:00']],
    [dublin, '2025-10-26 01:30', 'overlap', ['2025-10-26T00:30', '2025-10-26T01:30']],
    ['EST5EDT,0/0,J365/25', '2026-01-01 00:30', 'unique', ['2026-01-01T04:30']],
    ['<+03>-3', '2025-01-32 00:00', 'unique', ['2025-01-31T21:00']],
  ]
  for (const [rule, wall, kind, epochs] of cases) {
    test(`${wall} in ${rule} is ${kind}: ${epochs.join(' and ')} UTC`, () => {
      assert.deepEqual(epochOf(parsePosixTz(rule), wallTime(wall)), {
        kind,
        epochs: epochs.map((moment) => Date.parse(`${moment}Z`)),
      })
    })
  }
})

const zone = fc.constantFrom(...REAL_ZONES).map(([, rule]) => parsePosixTz(rule))
const minute = fc
  .integer({ min: Date.UTC(1970, 0, 1) / 60_000, max: Date.UTC(2100, 0, 1) / 60_000 })
  .map((minutes) => minutes * 60_000)

test('every moment is among the epochs of the time its clock shows', () => {
  fc.assert(
    fc.property(zone, minute, (where, epoch) => {
      const epochs: number[] = epochOf(where, localTime(where, epoch)).epochs
      assert.ok(epochs.includes(epoch))
    }),
    { numRuns: 2000 },
  )
})

test('every wall-clock time fires once: when a clock shows it, or when the clock jumps over it', () => {
  fc.assert(
    fc.property(zone, minute, (where, wall) => {
      const fields = localTime(parsePosixTz('UTC0'), wall)
      const { kind, epochs } = epochOf(where, fields)
      if (kind !== 'gap') {
        for (const epoch of epochs) assert.deepEqual(localTime(where, epoch), fields)
        return
      }
      const shownAt = (epoch: number) => epoch + offsetAt(where, epoch).offset_s * 1000
      assert.ok(shownAt(epochs[0] - 1) < wall, 'before the gap the clock shows less')
      assert.ok(shownAt(epochs[0]) > wall, 'after it the clock shows more')
    }),
    { numRuns: 5000 },
  )
})
