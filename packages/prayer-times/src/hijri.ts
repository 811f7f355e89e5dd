import { addDays, type CalendarDate, utcMidnight } from './calendar-date.ts'

export type HijriDate = {
  day: number
  month: number
  year: number
  month_name: string
  month_name_ar: string
}

const MONTHS: readonly (readonly [english: string, arabic: string])[] = [
  ['Muharram', 'محرم'],
  ['Safar', 'صفر'],
  ['Rabi al-Awwal', 'ربيع الأول'],
  ['Rabi al-Thani', 'ربيع الآخر'],
  ['Jumada al-Ula', 'جمادى الأولى'],
  ['Jumada al-Thani', 'جمادى الآخرة'],
  ['Rajab', 'رجب'],
  ['Shaban', 'شعبان'],
  ['Ramadan', 'رمضان'],
  ['Shawwal', 'شوال'],
  ['Dhu al-Qadah', 'ذو القعدة'],
  ['Dhu al-Hijjah', 'ذو الحجة'],
]

const RAMADAN = 9

const tabular = calendar('islamic-civil')
const ummAlQura = calendar('islamic-umalqura')

/** The tabular (civil) Hijri date of a day, moved by `adjust` days towards what was announced. */
export function hijriDate(date: CalendarDate, adjust = 0): HijriDate {
  const { day, month, year } = tabular(addDays(date, adjust))
  const [month_name, month_name_ar] = MONTHS[month - 1] ?? ['', '']
  return { day, month, year, month_name, month_name_ar }
}

/**
 * Whether Umm al-Qura's Isha is that of Ramadan. Its tables follow its own calendar, from which the
 * tabular one may differ by a day; but who has adjusted the Hijri date has said when Ramadan began.
 */
export function isRamadan(date: CalendarDate, adjust = 0): boolean {
  const month = adjust === 0 ? ummAlQura(date).month : hijriDate(date, adjust).month
  return month === RAMADAN
}

function calendar(name: string): (date: CalendarDate) => CalendarDate {
  const format = new Intl.DateTimeFormat(`en-u-ca-${name}-nu-latn`, {
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (date) => {
    const parts = format.formatToParts(utcMidnight(date))
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
    return { day: read('day'), month: read('month'), year: read('year') }
  }
}
