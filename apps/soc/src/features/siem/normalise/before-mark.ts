import type { TextContext } from './parsed.ts'
import { isZone } from './scan/zones.ts'

const LONGEST_HEAD = 200
const BETWEEN = ' \t:*.,\ufeff'

// The times that devices and loggers write, with the year before or behind them.
const TIME =
  /(?:[A-Z][a-z]{2},? )?(?:[A-Z][a-z]{2} +\d{1,2}(?:,? \d{4})?|\d{4} [A-Z][a-z]{2} +\d{1,2}|\d{1,2}[ /-][A-Z][a-z]{2}[ /-]\d{4}|\d{4}[-/.:]\d\d[-/.:]\d\d)[T :-]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?(?: \d{4})?(?=[\s:]|$)|\d{9,19}(?:\.\d{1,9})?(?=[\s:]|$)/y
const ZONE = / ([A-Z]{1,6})(?=[\s:])/y
// A priority, and a number with a colon behind it.
const OTHER = /<\d{1,3}>|\d{1,12}(?=:)/y
const LEVEL = /(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|ALERT|FATAL)(?=[\s:])/y
/** A thread or a logger. */
const BRACKETS = /\[[\w.:/-]{1,64}\]/y
const NAME =
  /(?:[\da-fA-F]{0,4}(?::[\da-fA-F]{0,4}){2,7}(?=\s)|[A-Za-z0-9][\w.-]{0,254})(\[\d{1,10}\])?(:?)(?=[\s:]|$)/y

/** Tells a machine from a word of a sentence; right behind the time of syslog any name is a machine's. */
const LIKE_MACHINE = /[\d.-]/
const DASH = / - /y

/**
 * Whether what stands before the mark of a format is nothing but a header: times, the name of a machine,
 * and the program or the logger that wrote it. All else is the line's own text, in which somebody typed
 * the mark, as in `INFO User CEF:0|…`. After a program, which says the rest itself, a header begins with
 * a time, as relays put them together.
 */
export function isHeader(before: string, follows: TextContext['follows']): boolean {
  if (before.length > LONGEST_HEAD) return false
  const isTagged = follows === 'program'
  let hasTime = follows === 'time'
  let hasLevel = false
  let isDated = false
  let names = 0
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(before)
    if (found) at += found[0].length
    return found
  }
  while (at < before.length) {
    if (BETWEEN.includes(before[at] as string) || (hasTime && before[at] === '-')) {
      at += 1
      continue
    }
    const [time] = take(TIME) ?? []
    if (time !== undefined) {
      hasTime = true
      // As syslog writes it: the machine comes next.
      isDated = time > 'A'
      ZONE.lastIndex = at
      const [zone = '', letters = ''] = ZONE.exec(before) ?? []
      if (isZone(letters)) at += zone.length
      continue
    }
    if (take(LEVEL)) hasLevel = true
    else if (!take(OTHER) && !(hasTime && !isTagged && take(BRACKETS))) {
      const [name, number, colon] = take(NAME) ?? []
      if (name === undefined || (isTagged && !hasTime)) return false
      DASH.lastIndex = at
      const isProgram = Boolean(number || colon) || (hasTime && DASH.test(before))
      const isMachine = !hasLevel && (isDated || LIKE_MACHINE.test(name))
      names += 1
      if (names > 2 || !(isProgram || (isMachine && names === 1))) return false
      if (names === 2 && !hasTime) return false
    }
    isDated = false
  }
  return true
}
