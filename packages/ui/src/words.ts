export type Language = 'ar' | 'en'
/** `auto`: Arabic-Indic digits in Arabic, Latin digits elsewhere. */
export type Digits = 'auto' | 'arab' | 'latn'

/** The forms a language counts with; Arabic uses all six, English two. */
export type Forms = {
  zero?: string
  one?: string
  two?: string
  few?: string
  many?: string
  other: string
}

/** Each language has forms of its own for what is counted, so a catalogue says only that it has some. */
export const counted = (forms: Forms): Forms => forms

type Values = Record<string, number | string>

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How numbers, times and counted things are written in a language. */
export function createSpeech<Words>(language: Language, words: Words, digits: Digits = 'auto') {
  const script = digits === 'auto' ? (language === 'ar' ? 'arab' : 'latn') : digits
  const locale = `${language}-u-nu-${script}`
  const plain = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 1 })
  const fine = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 2 })
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false })
  const share = new Intl.NumberFormat(locale, { style: 'percent' })
  const rules = new Intl.PluralRules(language)
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const number = (value: number) => plain.format(value)

  const fill = (text: string, values: Values) =>
    text.replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = values[key]
      return typeof value === 'number' ? number(value) : (value ?? '')
    })

  return {
    language,
    locale,
    dir: language === 'ar' ? 'rtl' : 'ltr',
    t: words,
    number,
    /** To the hundredth, for what is counted in quarters or tells a place. */
    exact: (value: number) => fine.format(value),
    /** 0 to 100, with the sign of the language. */
    percent: (value: number) => share.format(value / 100),
    /** Puts values into the places of a sentence: `{n}`. */
    fill,
    /** The sentence in the form that the number asks for. */
    count: (forms: Forms, n: number, values: Values = {}) =>
      fill(forms[rules.select(n)] ?? forms.other, { n, ...values }),
    /** A length in milliseconds as on a clock face: 3:07, 1:02:09. */
    clock(ms: number) {
      const { hours, minutes, seconds } = split(Math.floor(Math.max(0, ms) / 1000))
      const start = hours > 0 ? `${number(hours)}:${twoDigits.format(minutes)}` : number(minutes)
      return `${start}:${twoDigits.format(seconds)}`
    },
    /** What is left until a moment, in hours and minutes: 1:24. */
    span(seconds: number) {
      // Up, as people count: 30 seconds before the hour it is not yet 0:00.
      const { hours, minutes } = split(Math.ceil(Math.max(0, seconds) / MINUTE) * MINUTE)
      return `${number(hours)}:${twoDigits.format(minutes)}`
    },
    /** `HH:MM` of a day, as the owner of the box likes it. */
    timeOfDay(hhmm: string, is24h: boolean) {
      const [hour = 0, minute = 0] = hhmm.split(':').map(Number)
      if (is24h) return `${twoDigits.format(hour)}:${twoDigits.format(minute)}`
      const half = language === 'ar' ? (hour < 12 ? 'ص' : 'م') : hour < 12 ? 'AM' : 'PM'
      return `${number(hour % 12 === 0 ? 12 : hour % 12)}:${twoDigits.format(minute)} ${half}`
    },
    /** A day of the calendar, `YYYY-MM-DD`, with what is asked for of it. */
    date: (day: string, parts: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC', calendar: 'gregory' }).format(
        new Date(`${day}T12:00:00Z`),
      ),
    /** How long ago or until, in the largest unit that fits. */
    ago(seconds: number) {
      const length = Math.abs(seconds)
      if (length < MINUTE) return relative.format(0, 'second')
      if (length < HOUR) return relative.format(-Math.trunc(seconds / MINUTE), 'minute')
      if (length < DAY) return relative.format(-Math.trunc(seconds / HOUR), 'hour')
      return relative.format(-Math.trunc(seconds / DAY), 'day')
    },
  } as const
}
export type Speech<Words> = ReturnType<typeof createSpeech<Words>>

const split = (total: number) => ({
  hours: Math.floor(total / HOUR),
  minutes: Math.floor(total / MINUTE) % 60,
  seconds: total % 60,
})
