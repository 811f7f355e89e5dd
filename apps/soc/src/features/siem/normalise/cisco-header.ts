import type { Parsed } from './parsed.ts'
import { isZone, momentInZone } from './scan/zones.ts'

// `%SEC-6-IPACCESSLOGP:`, `%ASA-session-4-106023:`, `%PIM-SW1-6-INVALID_RP_JOIN:`.
const MNEMONIC = /%[A-Z][A-Z0-9_]{0,31}(?:-[A-Za-z0-9_]{1,31}){0,3}-[0-7]-[A-Z0-9_]{2,63}\b/y
const LONGEST_HEAD = 200

/**
 * What Cisco's devices write before their messages: a number, the name and a time, each with a
 * colon behind it and each of them may be missing, as in `2360957: sw1: Mar  3 2026 10:00:00.1 CET:`.
 * A relay may have put a header of its own before that. The time nearest to the message is the event's.
 */
export function parseCiscoHeader(text: string, receivedAt: number): Parsed | undefined {
  const mark = text.indexOf('%')
  if (mark < 0 || mark > LONGEST_HEAD) return undefined
  MNEMONIC.lastIndex = mark
  if (!MNEMONIC.test(text)) return undefined
  const parsed: Parsed = { source: 'syslog', message: text.slice(mark), fields: {} }
  let at = 0
  while (at < mark) {
    if (BETWEEN.includes(text[at] ?? '')) at += 1
    else at = readTime(text, at, parsed, receivedAt) ?? readWord(text, at, mark, parsed)
  }
  return parsed
}

const BETWEEN = ' :*.'
const TIME =
  /(?:(?:[A-Z][a-z]{2} +\d{1,2}(?: \d{4})?|\d{4} [A-Z][a-z]{2} +\d{1,2}) \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?)(?= |:|$)/y
const ZONE = / ([A-Za-z]{1,6}(?:[+-]\d{1,2}(?::\d\d)?)?)(?=:)/y

function readTime(text: string, from: number, parsed: Parsed, receivedAt: number) {
  TIME.lastIndex = from
  const [time] = TIME.exec(text) ?? []
  if (time === undefined) return undefined
  const end = from + time.length
  ZONE.lastIndex = end
  const [zone, letters = ''] = ZONE.exec(text) ?? []
  const isZoned = zone !== undefined && isZone(letters)
  // Some write the year first.
  const moment = time.replace(/^(\d{4}) (\w{3} +\d{1,2}) /, '$2 $1 ')
  parsed.at = momentInZone(isZoned ? `${moment} ${letters}` : moment, receivedAt) ?? parsed.at
  return isZoned ? end + zone.length : end
}

const HOST = /^[A-Za-z0-9][\w.-]{0,254}$/
const PROGRAM = /^([\w-]{1,64})\[(\d{1,10})\]$/

/** A name, a number, or a program with its number; what is none of them says nothing. */
function readWord(text: string, from: number, to: number, parsed: Parsed): number {
  let end = from
  while (end < to && text[end] !== ' ' && text[end] !== ':') end += 1
  const word = text.slice(from, end)
  const [, program, procid = ''] = PROGRAM.exec(word) ?? []
  if (program) {
    parsed.process = program
    parsed.fields['syslog.procid'] = procid
  } else if (/^\d+$/.test(word)) parsed.fields['event.sequence'] ??= Number(word)
  else if (HOST.test(word)) parsed.host ??= word
  return end
}
