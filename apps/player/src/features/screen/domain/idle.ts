import { localTime } from '@manara/posix-tz/local-time'
import { hijriDate } from '@manara/prayer-times/hijri'
import { type Facts, troubleOf } from './facts.ts'
import { clockFace, clockText, timeUntil } from './time-text.ts'
import { inWords } from './trouble.ts'
import { digits, WORDS } from './words.ts'

/** A clock for the room, with what it is waiting for. */
export function idle(facts: Facts) {
  const { language, isTimeTrusted, now } = facts
  return {
    screen: 'idle' as const,
    isRtl: language === 'ar',
    ...(isTimeTrusted
      ? { ...clockFace(now, facts), ...dates(facts) }
      : { clock: '--:--', half: '', date: '', hijri: '' }),
    next: nextPrayer(facts),
    notice: noticeOf(facts),
  }
}

function dates({ zone, now, language, prayer }: Facts) {
  const words = WORDS[language]
  const today = localTime(zone, now)
  const hijri = hijriDate(today, prayer.config.hijri_adjust)
  const month = language === 'ar' ? hijri.month_name_ar : hijri.month_name
  const day = digits(today.day, language)
  const comma = language === 'ar' ? '،' : ','
  return {
    date: `${words.weekdays[today.weekday]}${comma} ${day} ${words.months[today.month - 1]}`,
    hijri: `${digits(hijri.day, language)} ${month} ${digits(hijri.year, language)} ${words.era}`,
  }
}

function nextPrayer(facts: Facts) {
  const { prayer, language, now } = facts
  if (!prayer.valid) return null
  const at = prayer.next.epoch * 1000
  return {
    name: WORDS[language].prayers[prayer.next.name],
    time: clockText(at, facts),
    countdown: timeUntil(at - now, language),
  }
}

/** One thing the owner could see to, the gravest first. */
function noticeOf(facts: Facts): string {
  const { language, isTimeTrusted, prayer, isCardPresent } = facts
  const words = WORDS[language]
  if (!isTimeTrusted) return words.noTime
  const trouble = troubleOf(facts)
  if (!isCardPresent) return words.noCard
  if (trouble) return `${words.failed[trouble.kind]}: ${inWords(trouble.message, language)}`
  return prayer.valid ? '' : words.noPlace
}
