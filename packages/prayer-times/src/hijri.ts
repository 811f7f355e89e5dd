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

const DAY_MS = 86_400_000
// 16 July 622 of the Julian calendar.
const EPOCH_DAY = Date.UTC(622, 6, 19) / DAY_MS

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
  const month = adjust === 0 ? ummAlQuraMonth(date) : hijriDate(date, adjust).month
  return month === RAMADAN
}

/**
 * Cycles of 30 years with 11 leap years, months of 30 and 29 days in turn (Reingold and Dershowitz,
 * Calendrical Calculations, 4th edition, page 106). By hand, since the calendars of `Intl` cost 9 MB.
 */
function tabular(date: CalendarDate): CalendarDate {
  const days = utcMidnight(date) / DAY_MS - EPOCH_DAY
  const year = Math.floor((30 * days + 10_646) / 10_631)
  const dayOfYear = days - (year - 1) * 354 - Math.floor((3 + 11 * year) / 30)
  const month = Math.min(12, Math.floor((dayOfYear * 2) / 59) + 1)
  return { year, month, day: dayOfYear - 29 * (month - 1) - Math.floor(month / 2) + 1 }
}

let monthOfUmmAlQura: Intl.DateTimeFormat | undefined

/** A table, not arithmetic: only those who go by it pay for it. */
function ummAlQuraMonth(date: CalendarDate): number {
  monthOfUmmAlQura ??= new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
    month: 'numeric',
    timeZone: 'UTC',
  })
  return Number(monthOfUmmAlQura.format(utcMidnight(date)))
}
