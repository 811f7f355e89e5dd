import type { PrayerName } from '@manara/player-contract/prayer-names'

type Day = { year: number; month: number; day: number }

/** What the box tells of a time, as far as a sentence needs it. */
export type Explained = {
  rule: { kind: string } & Partial<{
    angle: number | null
    factor: number
    minutes: number
    calendar: string
    timetable: string
    ramadan: boolean
    portion: number
    date: Day
  }>
  angle: number | null
  rounding: 'nearest' | 'up' | 'down'
  rounded_by_s: number
  method_min: number
  offset_min: number
}
export type Basis = { kind: string; date?: Day; lat?: number }

type Speech = {
  number(value: number): string
  date(day: string, parts: Intl.DateTimeFormatOptions): string
}

/** In Arabic what the box says in English; undefined for what it may come to say one day. */
export function explainAr(prayer: PrayerName, facts: Explained, say: Speech): string | undefined {
  const event = eventOf(prayer, facts, say)
  return event && `${event}${rounded(facts, say)}${moved(facts, say)}.`
}

export function basisAr({ kind, date, lat = 0 }: Basis, say: Speech): string | undefined {
  if (kind === 'nearest_day' && date)
    return `لا تشرق الشمس وتغرب في هذا اليوم، فالمواقيت مواقيت ${dayOf(date, say)}، أقرب يوم تشرق فيه وتغرب.`
  if (kind === 'nearest_latitude')
    return `لا تشرق الشمس وتغرب هنا في يوم واحد، فالمواقيت مواقيت خط العرض ${degrees(lat, say)}.`
  return undefined
}

function eventOf(prayer: PrayerName, { rule, angle }: Explained, say: Speech) {
  const { minutes = 0, portion = 0, date } = rule
  const low = degrees(-(rule.angle ?? 0), say)
  const isMorning = prayer === 'fajr' || prayer === 'sunrise'
  const horizon = isMorning ? 'الأفق الشرقي' : 'الأفق الغربي'
  const beside = isMorning ? 'قبل الشروق' : 'بعد الغروب'
  switch (rule.kind) {
    case 'angle':
      return `حين تكون الشمس تحت ${horizon} بـ${low}`
    case 'horizon':
      return `حين تمس حافة الشمس العليا ${horizon}، ومركزها تحته بـ${low}`
    case 'transit':
      return 'حين تزول الشمس عن وسط السماء'
    case 'shadow':
      return `حين يزيد ظل الشيء على ظل الزوال ${rule.factor === 2 ? 'مثليه' : 'مثله'}، وارتفاع الشمس ${degrees(angle ?? 0, say)}`
    case 'after_maghrib':
      return `بعد المغرب بـ${minutesOf(minutes, say)}${rule.ramadan ? ' لأنه رمضان' : ''}`
    case 'night_portion':
      return `${beside} ${portionOf(portion, say)} الليل، لأن الليل قصير والشفق فيه طويل`
    case 'nearest_day':
      return date && `كما في ${dayOf(date, say)}، أقرب يوم تبلغ فيه الشمس ${low} تحت الأفق`
    case 'season':
      return `${beside} بـ${minutesOf(Math.round(minutes), say)}، بحسب طول الشفق في هذا الفصل عند لجنة تحري الهلال`
    case 'white_night':
      return `${beside} بـ${minutesOf(minutes, say)}، كما في تتارستان في الليالي التي لا تُظلم`
    case 'timetable':
      return `${beside} بـ${minutesOf(minutes, say)}، كما في ${rule.timetable === 'ireland' ? 'تقويم المركز الثقافي الإسلامي في أيرلندا' : 'تقويم لندن الموحد'} لهذا اليوم من السنة`
    case 'sarajevo':
      return `${beside} بـ${minutesOf(minutes, say)}، بقدر ما يطول الشفق في سراييفو في هذا اليوم`
    case 'summer':
      return `${beside} بـ${minutesOf(minutes, say)}، كما في ${rule.calendar === 'norway' ? 'التقويم المشترك في النرويج' : 'تقويم الهيئة التنفيذية لمسلمي بلجيكا'} في الصيف`
    case 'northern_night':
      return `${beside} ${portionOf(portion, say)} الليل، كما تقدّره ديانت في أسابيع صيف الشمال التي لا فجر صادق فيها`
    case 'northern_change':
      return 'في التدرّج بين زاويته وتقدير ديانت لصيف الشمال'
    case 'northern_five_hours':
      return 'بحيث لا يقل النهار ولا الليل عن خمس ساعات، كما تعمل ديانت في أقصى الشمال'
    case 'northern_no_shadow':
      return 'بعد الظهر مباشرة، لأن الشمس لا تُلقي ظلًا'
    default:
      return undefined
  }
}

const ROUNDED = {
  nearest: 'إلى أقرب دقيقة',
  up: 'إلى الدقيقة التالية',
  down: 'إلى الدقيقة السابقة',
}

const rounded = ({ rounding, rounded_by_s: by }: Explained, say: Speech) =>
  by === 0 ? '' : `، والوقت مقرّب ${ROUNDED[rounding]} (${signed(by, say)} ث)`

const moved = ({ method_min, offset_min }: Explained, say: Speech) =>
  [
    method_min === 0 ? '' : `، وتزيده الطريقة ${signed(method_min, say)} د`,
    offset_min === 0 ? '' : `، وعدّلتموه ${signed(offset_min, say)} د`,
  ].join('')

const portionOf = (portion: number, say: Speech) => {
  if (portion === 1 / 2) return 'بنصف'
  return portion === 1 / 7 ? 'بسُبع' : `بـ${say.number(Math.round(portion * 100))}٪ من`
}

const minutesOf = (minutes: number, say: Speech) => `${say.number(minutes)} دقيقة`
const dayOf = ({ year, month, day }: Day, say: Speech) =>
  say.date(new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10), {
    ...{ day: 'numeric', month: 'long' },
  })
/** Kept together from left to right, as signs and numbers are read. */
const together = (text: string) => `\u2066${text}\u2069`
const degrees = (value: number, say: Speech) =>
  together(`${say.number(Math.round(value * 10) / 10)}°`)
const signed = (value: number, say: Speech) =>
  together(`${value > 0 ? '+' : '−'}${say.number(Math.abs(value))}`)
