import type { ClockSetting, PosixTz } from './posix-tz.ts'
import { createTextCursor, type TextCursor } from './text-cursor.ts'
import type { TransitionDay, TransitionRule } from './transition-rule.ts'

const HOUR_S = 3600
const TWO_IN_THE_MORNING = 2 * HOUR_S

/**
 * Reads `std offset [dst [offset] [,start[/time],end[/time]]]` as POSIX.1-2024 (Base Definitions 8.3)
 * describes it. Throws an Error that says what is wrong and at which character, counted from 1.
 */
export function parsePosixTz(text: string): PosixTz {
  const cursor = createTextCursor(text)
  const standard = { abbreviation: zoneName(cursor), offset_s: zoneOffset(cursor) }
  if (cursor.ended()) return { standard, daylight: null }
  const daylight = daylightSetting(cursor, standard)
  const rules = cursor.ended() ? UNITED_STATES : bothRules(cursor)
  if (!cursor.ended()) cursor.fail('nothing more')
  return { standard, daylight: { ...daylight, ...rules } }
}

// POSIX leaves a missing rule to the system; glibc takes that of the United States, and so do we.
const UNITED_STATES: { start: TransitionRule; end: TransitionRule } = {
  start: { on: { kind: 'month', month: 3, week: 2, weekday: 0 }, time_s: TWO_IN_THE_MORNING },
  end: { on: { kind: 'month', month: 11, week: 1, weekday: 0 }, time_s: TWO_IN_THE_MORNING },
}

function daylightSetting(cursor: TextCursor, standard: ClockSetting): ClockSetting {
  const abbreviation = zoneName(cursor)
  const sameRule = cursor.ended() || cursor.next() === ','
  return { abbreviation, offset_s: sameRule ? standard.offset_s + HOUR_S : zoneOffset(cursor) }
}

function zoneName(cursor: TextCursor): string {
  const plain = 'a zone name of at least three letters'
  if (!cursor.skip('<')) return cursor.take(/[A-Za-z]{3,}/y, plain)
  const quoted = 'a quoted zone name of at least three letters, digits or signs'
  const name = cursor.take(/[A-Za-z0-9+-]{3,}/y, quoted)
  if (!cursor.skip('>')) cursor.fail('">"')
  return name
}

/** The string counts hours west of Greenwich, we count seconds east. */
function zoneOffset(cursor: TextCursor): number {
  const next = cursor.next() ?? ''
  if (!/[-+\d]/.test(next)) cursor.fail('an offset such as -3 or +5:30')
  const west = signedTime(cursor, 24)
  return west === 0 ? 0 : -west
}

function bothRules(cursor: TextCursor): { start: TransitionRule; end: TransitionRule } {
  if (!cursor.skip(',')) cursor.fail('"," before the start of daylight saving')
  const start = transitionRule(cursor)
  if (!cursor.skip(',')) cursor.fail('"," before the end of daylight saving')
  return { start, end: transitionRule(cursor) }
}

function transitionRule(cursor: TextCursor): TransitionRule {
  const on = transitionDay(cursor)
  return { on, time_s: cursor.skip('/') ? signedTime(cursor, 167) : TWO_IN_THE_MORNING }
}

function transitionDay(cursor: TextCursor): TransitionDay {
  if (cursor.skip('J')) return { kind: 'julian', day: cursor.number(1, 365, 'a day') }
  if (!cursor.skip('M')) {
    if (!/\d/.test(cursor.next() ?? '')) cursor.fail('a day such as M3.2.0, J60 or 59')
    return { kind: 'zero_based', day: cursor.number(0, 365, 'a day') }
  }
  const month = cursor.number(1, 12, 'a month')
  if (!cursor.skip('.')) cursor.fail('"." after the month')
  const week = cursor.number(1, 5, 'a week')
  if (!cursor.skip('.')) cursor.fail('"." after the week')
  return { kind: 'month', month, week, weekday: cursor.number(0, 6, 'a weekday') }
}

/** `[+-]hh[:mm[:ss]]` in seconds. */
function signedTime(cursor: TextCursor, mostHours: number): number {
  const sign = cursor.skip('-') ? -1 : 1
  if (sign === 1) cursor.skip('+')
  const hours = cursor.number(0, mostHours, 'hours')
  const minutes = cursor.skip(':') ? cursor.number(0, 59, 'minutes') : null
  const seconds = minutes !== null && cursor.skip(':') ? cursor.number(0, 59, 'seconds') : 0
  return sign * (hours * HOUR_S + (minutes ?? 0) * 60 + seconds)
}
