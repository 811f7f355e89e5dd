import type { Parsed } from './parsed.ts'
import { isZone, momentInZone } from './scan/zones.ts'

// `%SEC-6-IPACCESSLOGP:`, `%ASA-session-4-106023:`, `%PIM-SW1-6-INVALID_RP_JOIN:`.
const MNEMONIC = /%[A-Z][A-Z0-9_]{0,31}(?:-[A-Za-z0-9_]{1,31}){0,3}-[0-7]-[A-Z0-9_]{2,63}\b/y
const LONGEST_HEAD = 200
/** A relay's name and the device's own. */
const MOST_NAMES = 2

/** All that stands before the message, where columns and other fields hold only a part of it. */
export const HEADER = 'syslog.header'

/** What of the text before the message was read. */
type Head = {
  text: string
  mark: number
  receivedAt: number
  parsed: Parsed
  names: number
  /** The last part, and where it ended. */
  last: 'time' | 'name' | 'datedName' | 'program' | 'other' | undefined
  end: number
  /** Whether columns and fields hold all of it. */
  isHeld: boolean
}

/**
 * What Cisco's devices write before their messages: a number, the name and a time, each with a
 * colon behind it and each of them may be missing, as in `2360957: sw1: Mar  3 2026 10:00:00.1 CET:`.
 * A relay may have put a header of its own before that. The time nearest to the message is the event's.
 * A mnemonic behind anything else is what somebody typed: there the line has no such header.
 */
export function parseCiscoHeader(text: string, receivedAt: number): Parsed | undefined {
  const mark = text.indexOf('%')
  if (mark < 0 || mark > LONGEST_HEAD) return undefined
  MNEMONIC.lastIndex = mark
  if (!MNEMONIC.test(text)) return undefined
  const parsed: Parsed = { source: 'syslog', message: text.slice(mark), fields: {} }
  const head: Head = {
    text,
    mark,
    receivedAt,
    parsed,
    names: 0,
    last: undefined,
    end: 0,
    isHeld: true,
  }
  if (!readHead(head) || !isClosed(head)) return undefined
  if (!head.isHeld) parsed.fields[HEADER] = text.slice(0, mark).trim()
  return parsed
}

/** Whether it is made of nothing but parts of a header. */
function readHead(head: Head): boolean {
  let at = 0
  while (at < head.mark) {
    const letter = head.text[at] ?? ''
    if (BETWEEN.includes(letter)) {
      // Before a time they say that the clock is not to be trusted.
      if (letter === '*' || letter === '.') head.isHeld = false
      at += 1
      continue
    }
    // A program stands right before what it says.
    if (head.last === 'program') return false
    if (!readTime(head, at) && !readWord(head, at)) return false
    at = head.end
  }
  return true
}

const BETWEEN = ' :*.'

/** Devices write a colon before the message, or nothing at all; a few a time and their name alone. */
function isClosed({ text, mark, last }: Head): boolean {
  if (last === undefined || last === 'datedName') return true
  let before = mark - 1
  while (text[before] === ' ') before -= 1
  return text[before] === ':'
}

const TIME =
  /(?:(?:[A-Z][a-z]{2} +\d{1,2}(?: \d{4})?|\d{4} [A-Z][a-z]{2} +\d{1,2}) \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)(?= |:|$)/y
const ZONE = / ([A-Za-z]{1,6}(?:[+-]\d{1,2}(?::\d\d)?)?)(?=:)/y

function readTime(head: Head, from: number): boolean {
  const { text, parsed, receivedAt } = head
  TIME.lastIndex = from
  const [time] = TIME.exec(text) ?? []
  if (time === undefined) return false
  const end = from + time.length
  ZONE.lastIndex = end
  const [zone, letters = ''] = ZONE.exec(text) ?? []
  const isZoned = zone !== undefined && isZone(letters)
  // Some write the year first.
  const moment = time.replace(/^(\d{4}) (\w{3} +\d{1,2}) /, '$2 $1 ')
  const at = momentInZone(isZoned ? `${moment} ${letters}` : moment, receivedAt)
  // The column holds one time, and none that cannot be.
  if (at === undefined || parsed.at !== undefined) head.isHeld = false
  parsed.at = at ?? parsed.at
  return ended(head, 'time', isZoned ? end + zone.length : end)
}

// A priority inside, the time since the start (`00:00:46:`, `1w2d:`), the card of an IOS XR router.
const OTHER =
  /<\d{1,3}>|(?:\d\d:\d\d:\d\d|\d{1,3}(?:y\d{1,2}w|w\dd|d\d\dh))(?=:)|[A-Z\d]{1,8}(?:\/[A-Z\d]{1,8}){2,4}(?=[ :])/y

function readOther(head: Head, from: number): boolean {
  OTHER.lastIndex = from
  const [other] = OTHER.exec(head.text) ?? []
  if (other === undefined) return false
  head.isHeld = false
  return ended(head, 'other', from + other.length)
}

const ADDRESS = /[\da-fA-F]{0,4}(?::[\da-fA-F]{0,4}){2,7}(?= )/y
const HOST = /^[A-Za-z0-9][\w.-]{0,254}$/
const PROGRAM = /^([\w-]{1,64})\[(\d{1,10})\]$/

/** A name, a number, or a program with its number. */
function readWord(head: Head, from: number): boolean {
  const { text } = head
  let end = from
  while (end < head.mark && text[end] !== ' ' && text[end] !== ':') end += 1
  const word = text.slice(from, end)
  if (text[end] === ':' && text[end + 1] !== ' ') {
    const address = addressAt(text, from)
    if (address !== undefined) return readName(head, from, address)
  }
  if (word.endsWith(']')) return readProgram(head, word, end)
  // Only these begin like something else than a name.
  if ((word < ':' || word[0] === '<' || word.includes('/')) && readOther(head, from)) return true
  if (/^\d+$/.test(word)) return text[end] === ':' && readNumber(head, word, end)
  return HOST.test(word) && readName(head, from, word)
}

/** The one kind of name with colons in it. */
function addressAt(text: string, from: number): string | undefined {
  ADDRESS.lastIndex = from
  const [address] = ADDRESS.exec(text) ?? []
  // A time since the start has fewer parts.
  const isWhole = address?.includes('::') || address?.split(':').length === 8
  return isWhole ? address : undefined
}

function readProgram(head: Head, word: string, end: number): boolean {
  const { parsed } = head
  const [, program, procid = ''] = PROGRAM.exec(word) ?? []
  if (!program) return false
  if (parsed.process !== undefined) head.isHeld = false
  parsed.process = program
  parsed.fields['syslog.procid'] = procid
  return ended(head, 'program', end)
}

function readNumber(head: Head, digits: string, end: number): boolean {
  const { fields } = head.parsed
  const number = Number(digits)
  if (fields['event.sequence'] !== undefined || String(number) !== digits) head.isHeld = false
  fields['event.sequence'] ??= number
  return ended(head, 'other', end)
}

/** The first is the machine; one that follows it without a colon between them is its program. */
function readName(head: Head, from: number, name: string): boolean {
  const { text, parsed, last } = head
  const end = from + name.length
  const isTask = text[from - 1] === '*' && text[end] === ':'
  if (!isTask) head.names += 1
  if (head.names > MOST_NAMES) return false
  const isName = last === 'name' || last === 'datedName'
  const isAfterName = isName && !text.slice(head.end, from).includes(':')
  const isProgram = isTask || (isAfterName && COLON.test(text.slice(end, end + 2)))
  if (isProgram && parsed.process === undefined) parsed.process = name
  else if (!isProgram && parsed.host === undefined) parsed.host = name
  else head.isHeld = false
  return ended(head, last === 'time' ? 'datedName' : 'name', end)
}

const COLON = /^ ?:/

function ended(head: Head, part: Head['last'], end: number): true {
  head.last = part
  head.end = end
  return true
}
