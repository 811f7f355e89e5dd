import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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

  test('agrees with the tabular calendar of Intl', () => {
    const format = new Intl.DateTimeFormat('en-u-ca-islamic-civil-nu-latn', {
      ...{ day: 'numeric', month: 'numeric', year: 'numeric', timeZone: 'UTC' },
    })
    for (let days = 0; days < 75_000; days++) {
      const date = addDays({ year: 1925, month: 1, day: 1 }, days)
      const { year, month, day } = hijriDate(date)
      assert.equal(`${month}/${day}/${year} AH`, format.format(utcMidnight(date)))
    }
  })
})
