import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NORTHERN } from './northern-timetables.fixture.ts'
import {
  ANKARA,
  CAIRO,
  CASABLANCA,
  DOHA,
  DUBAI,
  MAKKAH,
  RIYADH,
  SINGAPORE,
  type Timetable,
} from './official-timetables.fixture.ts'
import { prayerTimes } from './prayer-times.ts'
import { PRAYERS } from './prayers.ts'

/** Minutes we are late against each printed time of a row. */
function deviations({ lat, lng, utc_offset_h, config }: Timetable, row: string): number[] {
  const [day = '', ...printed] = row.split(' ')
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const place = { lat, lng, utc_offset_s: utc_offset_h * 3600 }
  const times = prayerTimes({ year, month, day: date }, place, config)
  return PRAYERS.flatMap((prayer, index) => {
    if (printed[index] === '-') return []
    const official = Date.parse(`${day}T${printed[index]}Z`) - utc_offset_h * 3_600_000
    return (times[prayer] - official) / 60_000
  })
}

const SOUTHERN = [CAIRO, RIYADH, MAKKAH, ANKARA, DUBAI, DOHA, CASABLANCA, SINGAPORE]

for (const table of [...SOUTHERN, ...NORTHERN]) {
  const { within = 1 } = table
  describe(table.source, () => {
    for (const row of table.rows)
      test(`${row.slice(0, 10)} holds within ${within} min`, () => {
        for (const minutes of deviations(table, row)) assert.ok(Math.abs(minutes) <= within, row)
      })

    const all = table.rows.flatMap((row) => deviations(table, row))
    test(`${table.exact} of ${all.length} times are exact`, () => {
      assert.equal(all.filter((minutes) => minutes === 0).length, table.exact)
    })
  })
}

test('rounding to the nearest minute instead meets only half of the times of Makkah', () => {
  const nearest: Timetable = { ...MAKKAH, config: { ...MAKKAH.config, rounding: 'nearest' } }
  const all = nearest.rows.flatMap((row) => deviations(nearest, row))
  assert.equal(all.filter((minutes) => minutes === 0).length, 36)
})
