import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addDays, type CalendarDate, utcMidnight } from './calendar-date.ts'
import { hijriDate } from './hijri.ts'

describe('hijriDate', () => {
  const cases: [date: CalendarDate, adjust: number, text: string][] = [
    [{ year: 2025, month: 3, day: 1 }, 0, '1 Ramadan رمضان 1446'],
    [{ year: 2025, month: 6, day: 27 }, 0, '1 Muharram محرم 1447'],
    [{ year: 2025, month: 6, day: 26 }, 0, '29 Dhu al-Hijjah ذو الحجة 1446'],
    [{ year: 2025, month: 9, day: 1 }, 0, '8 Rabi al-Awwal ربيع الأول 1447'],
    // Egypt and Umm al-Qura both had the 9th.
    [{ year: 2025, month: 9, day: 1 }, 1, '9 Rabi al-Awwal ربيع الأول 1447'],
    [{ year: 2025, month: 3, day: 1 }, -1, '29 Shaban شعبان 1446'],
    [{ year: 2025, month: 3, day: 1 }, -2, '28 Shaban شعبان 1446'],
    [{ year: 2025, month: 6, day: 26 }, 2, '2 Muharram محرم 1447'],
  ]
  for (const [{ year, month, day }, adjust, text] of cases)
    test(`${year}-${month}-${day} adjusted by ${adjust} is ${text}`, () => {
      const hijri = hijriDate({ year, month, day }, adjust)
      const { day: d, month_name, month_name_ar, year: y } = hijri
      assert.equal(`${d} ${month_name} ${month_name_ar} ${y}`, text)
    })

  // The arithmetic calendar: cycles of 30 years with 11 leap years, months of 30 and 29 days in turn,
  // epoch Friday 16 July 622 (Reingold and Dershowitz, Calendrical Calculations, 4th edition, page 106).
  test('agrees with the arithmetic of the tabular calendar', () => {
    const epochDay = Date.UTC(622, 6, 19) / 86_400_000 // 16 July is Julian
    const arbitrary = fc.integer({ min: 0, max: 150_000 })
    fc.assert(
      fc.property(arbitrary, (days) => {
        const date = addDays({ year: 1900, month: 1, day: 1 }, days)
        const { year, month, day } = hijriDate(date)
        const yearsBefore = (year - 1) * 354 + Math.floor((3 + 11 * year) / 30)
        const monthsBefore = 29 * (month - 1) + Math.floor(month / 2)
        assert.equal(
          epochDay + yearsBefore + monthsBefore + day - 1,
          utcMidnight(date) / 86_400_000,
        )
      }),
      { numRuns: 2000 },
    )
  })
})
