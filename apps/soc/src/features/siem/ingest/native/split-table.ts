import { NAMES } from '../../normalise/common-names.ts'
import { separated } from '../../normalise/scan/separated.ts'
import { momentOf } from '../../normalise/timestamps.ts'
import type { Piece } from '../piece.ts'
import { MOST_EVENT_BYTES, textAt } from './json-pieces.ts'
import { type Span, skipBlank } from './split-json.ts'

/** Events as a search exports them for a spreadsheet: a line of names, and a row for each event. */
export type Table = { names: string[]; rows(): Iterable<Span> }

const LONGEST_HEADER = 16 * 1024
/** By which a line is one of names, where nobody says so. */
const FEWEST_NAMES = 3
const NAME = /^[@_A-Za-z][\w .@:#()/[\]-]{0,99}$/
const TOLD_NAME = /^[@_\p{L}][\p{L}\p{M}\p{N}_ .@:#()/[\]-]{0,99}$/u
/** Azure says beside a name in which zone its times are. */
const ZONE = / \[UTC\]$/
const ANY_TIME = Date.UTC(9000, 0, 1)
const TIMES = new Set<string>(['timestamp', ...NAMES.at])

/**
 * The table that a body is, where its sender says so, or else where the first row has a time below a
 * name that stands for one: names with commas between them may be any line of a log.
 */
export function tableIn(contentType: string, body: Buffer): Table | undefined {
  const start = skipBlank(body, 0)
  const end = endOfLine(body, start)
  if (end - start > LONGEST_HEADER) return undefined
  const header = body.toString('utf8', start, end).trimEnd()
  const given = separated(header, ',', LONGEST_HEADER).map((name) => name.trim().replace(ZONE, ''))
  const isTold = isCsv(contentType)
  const names = isTold ? toldNames(given) : surelyNames(given)
  if (!names) return undefined
  const table = { names, rows: () => rowSpans(body, start, end) }
  return isTold || hasTimes(body, table) ? table : undefined
}

function surelyNames(given: string[]): string[] | undefined {
  if (given.length < FEWEST_NAMES || new Set(given).size < given.length) return undefined
  return given.every((name) => NAME.test(name)) ? given : undefined
}

/** In letters of any script; columns without a name, or with that of another, get one of their own. */
function toldNames(given: string[]): string[] | undefined {
  if (given.length < 2 || given.every((name) => name === '')) return undefined
  if (!given.every((name) => name === '' || TOLD_NAME.test(name))) return undefined
  const taken = new Set(given)
  const seen = new Set([''])
  const counts = new Map<string, number>()
  return given.map((name, at) => {
    if (!seen.has(name)) {
      seen.add(name)
      return name
    }
    const wanted = name || `column_${at + 1}`
    let own = wanted
    let count = counts.get(wanted) ?? 1
    while (taken.has(own)) own = `${wanted}_${++count}`
    counts.set(wanted, count)
    taken.add(own)
    return own
  })
}

export const isCsv = (contentType: string) => /^text\/csv\b/i.test(contentType)

function hasTimes(body: Buffer, table: Table): boolean {
  const [first] = table.rows()
  const row = first && rowAt(body, first, table)
  return Object.entries(row && 'object' in row ? (row.object ?? {}) : {}).some(
    ([name, value]) => TIMES.has(name) && momentOf(value, ANY_TIME) !== undefined,
  )
}

/** A row with more values than names, or fewer, is kept as its text. */
export function rowAt(body: Buffer, span: Span, { names }: Table): Piece {
  const piece = textAt(body, span)
  if ('rejected' in piece) return piece
  const values = separated(piece.text, ',', names.length + 1)
  if (values.length !== names.length) return piece
  const held = names.flatMap((name, at) => (values[at] ? [[name, values[at]]] : []))
  return held.length === 0 ? piece : { object: Object.fromEntries(held), areDotsPaths: true }
}

const endOfLine = (body: Buffer, from: number) => {
  const found = body.indexOf(0x0a, from)
  return found < 0 ? body.length : found
}

const QUOTE = 0x22
const COMMA = 0x2c
const ENDS = new Set([COMMA, 0x0a, 0x0d, undefined])

/** Lines, but that a value in quotes may have some; a header that comes again is none. */
function* rowSpans(body: Buffer, from: number, until: number): Iterable<Span> {
  const header = body.subarray(from, until)
  // A quote that nothing closes is none, and neither is any after it: each byte is looked at once.
  let areClosed = true
  for (let start = skipBlank(body, until); start < body.length; ) {
    let end: number | undefined = areClosed ? endOfRow(body, start) : endOfLine(body, start)
    if (end === undefined) {
      areClosed = false
      end = endOfLine(body, start)
    }
    if (!body.subarray(start, end).equals(header)) {
      yield [start, body[end - 1] === 0x0d ? end - 1 : end]
    }
    start = skipBlank(body, end)
  }
}

function endOfRow(body: Buffer, start: number): number | undefined {
  let at = start
  while (at < body.length && body[at] !== 0x0a) {
    if (body[at] === QUOTE && (at === start || body[at - 1] === COMMA)) {
      const close = closingQuote(body, at)
      if (close === undefined) return undefined
      at = close
    }
    at += 1
  }
  return at
}

function closingQuote(body: Buffer, open: number): number | undefined {
  const most = open + MOST_EVENT_BYTES
  for (let at = body.indexOf(QUOTE, open + 1); at >= 0 && at < most; ) {
    if (body[at + 1] === QUOTE) at += 1
    else if (ENDS.has(body[at + 1])) return at
    at = body.indexOf(QUOTE, at + 1)
  }
  return undefined
}
